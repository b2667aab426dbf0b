package envelope

import "encoding/json"

// The lists below are required on the wire: a nil one is written as [], not as
// the null that the schema refuses.

func list[T any](l []T) []T {
	if l == nil {
		return []T{}
	}
	return l
}

// MarshalJSON writes h with its lists.
func (h Hello) MarshalJSON() ([]byte, error) {
	type plain Hello
	h.Protocol, h.Conversations = list(h.Protocol), list(h.Conversations)
	return json.Marshal(plain(h))
}

// MarshalJSON writes i with its lists.
func (i Inventory) MarshalJSON() ([]byte, error) {
	type plain Inventory
	i.StandardComponents, i.Applications, i.Capabilities = list(i.StandardComponents), list(i.Applications), list(i.Capabilities)
	return json.Marshal(plain(i))
}

// MarshalJSON writes a with its list.
func (a InventoryApp) MarshalJSON() ([]byte, error) {
	type plain InventoryApp
	a.Surfaces = list(a.Surfaces)
	return json.Marshal(plain(a))
}

// MarshalJSON writes a with its list.
func (a AppList) MarshalJSON() ([]byte, error) {
	type plain AppList
	a.Capabilities = list(a.Capabilities)
	return json.Marshal(plain(a))
}
