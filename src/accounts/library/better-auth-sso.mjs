// The package's own types bring in the browser's globals, which would conflict with Bun's in the whole project.
// TypeScript does not read this file: it takes the declarations in better-auth-sso.d.mts.
export { sso } from "@better-auth/sso";
