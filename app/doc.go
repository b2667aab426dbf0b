// Package app is the composition root: it reads flags, opens the data folder,
// puts the parts together and runs one of the commands. Only main imports it,
// and only it imports everything below.
//
// Nothing here decides about agents, surfaces or capabilities; package host does.
package app
