package envelope

import (
	"encoding/json"
	"testing"
)

func TestSecretField(t *testing.T) {
	prop := func(name string) string { return `{"properties":{"` + name + `":{"type":"string"}}}` }
	secret := map[string]string{
		prop("password"):          "payload.schema.properties.password",
		prop("Password2"):         "payload.schema.properties.Password2",
		prop("user_passwd"):       "payload.schema.properties.user_passwd",
		prop("dbPassword"):        "payload.schema.properties.dbPassword",
		prop("pin"):               "payload.schema.properties.pin",
		prop("PIN-code"):          "payload.schema.properties.PIN-code",
		prop("client_secret"):     "payload.schema.properties.client_secret",
		prop("token"):             "payload.schema.properties.token",
		prop("accessToken"):       "payload.schema.properties.accessToken",
		prop("api_key"):           "payload.schema.properties.api_key",
		prop("apiKey"):            "payload.schema.properties.apiKey",
		prop("APIKey"):            "payload.schema.properties.APIKey",
		prop("apikey"):            "payload.schema.properties.apikey",
		prop("otp"):               "payload.schema.properties.otp",
		prop("cvv"):               "payload.schema.properties.cvv",
		prop("密码"):                `payload.schema.properties["\u5bc6\u7801"]`,
		prop("登录口令"):              `payload.schema.properties["\u767b\u5f55\u53e3\u4ee4"]`,
		prop("短信验证码"):             `payload.schema.properties["\u77ed\u4fe1\u9a8c\u8bc1\u7801"]`,
		prop("ｐａｓｓｗｏｒｄ"):          `payload.schema.properties["\uff50\uff41\uff53\uff53\uff57\uff4f\uff52\uff44"]`,
		prop("seed phrase"):       `payload.schema.properties["seed phrase"]`,
		prop("contraseña_actual"): `payload.schema.properties["contrase\u00f1a_actual"]`,
		`{"format":"password"}`:   "payload.schema",
		`{"properties":{"a":{"format":"Password"}}}`:                                 "payload.schema.properties.a",
		`{"properties":{"a":{"writeOnly":true}}}`:                                    "payload.schema.properties.a",
		`{"properties":{"a":{"title":"Your password","type":"string"}}}`:             "payload.schema.properties.a",
		`{"properties":{"a":{"title":"支付密码"}}}`:                                      "payload.schema.properties.a",
		`{"properties":{"l":{"items":{"properties":{"pwd":{}}}}}}`:                   "payload.schema.properties.l.items.properties.pwd",
		`{"$defs":{"c":{"properties":{"cvc":{}}}},"$ref":"#/$defs/c"}`:               "payload.schema.$defs.c.properties.cvc",
		`{"allOf":[{},{"then":{"properties":{"secret":true}}}]}`:                     "payload.schema.allOf[1].then.properties.secret",
		`{"required":["password"],"additionalProperties":{"type":"string"}}`:         "payload.schema.required[0]",
		`{"properties":{"token":{"type":"string"}}}`:                                 "payload.schema.properties.token",
		`{"properties":{"default":{"properties":{"passphrase":{"type":"string"}}}}}`: "payload.schema.properties.default.properties.passphrase",
	}
	for schema, want := range secret {
		got, ok := SecretField(Input{Schema: json.RawMessage(schema)})
		if !ok || got != want {
			t.Errorf("%s: %q %v, want %q", schema, got, ok, want)
		}
	}
	for _, schema := range []string{
		``, `{}`, prop("name"), prop("shipping"), prop("opinion"), prop("passenger"), prop("compass"), prop("tokens"), prop("secretary"),
		prop("code"), prop("keyboard"), prop("key"), prop("spinning"), prop("密度"),
		`{"properties":{"max_token":{"type":"integer"}},"required":["max_token"]}`,
		`{"title":"Reset your password","properties":{"email":{"type":"string"}}}`,
		`{"properties":{"topic":{"enum":["password","pin"],"default":"password"}}}`,
		`{"properties":{"format":{"const":"password"}}}`,
		`{"properties":{"writeOnly":true}}`,
	} {
		if path, ok := SecretField(Input{Schema: json.RawMessage(schema)}); ok {
			t.Errorf("%s: taken for a secret at %s", schema, path)
		}
	}
}
