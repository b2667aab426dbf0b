// Command lineup is LineUp Desktop: a desktop host for agents.
package main

import (
	"os"

	"lineup/app"
)

func main() { os.Exit(app.Main(os.Args[1:])) }
