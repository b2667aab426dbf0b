// The tool that writes src/host/api.gen.ts, kept out of the program's own go.mod.
module lineup

go 1.26

require github.com/gzuidhof/tygo v0.2.21

require (
	github.com/fatih/structtag v1.2.0 // indirect
	github.com/inconshreveable/mousetrap v1.1.0 // indirect
	github.com/spf13/cobra v1.10.2 // indirect
	github.com/spf13/pflag v1.0.9 // indirect
	golang.org/x/mod v0.29.0 // indirect
	golang.org/x/sync v0.17.0 // indirect
	golang.org/x/tools v0.38.0 // indirect
	gopkg.in/yaml.v2 v2.4.0 // indirect
)
