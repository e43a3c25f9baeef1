//go:build tools

// Package storage pins the S3 server that the tests run against.
package storage

import _ "github.com/versity/versitygw/cmd/versitygw"
