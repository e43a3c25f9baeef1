//go:build tools

// Package runner pins the engine with which Gitea's runner runs workflows.
package runner

import _ "github.com/nektos/act"
