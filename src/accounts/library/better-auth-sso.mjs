// The package's own types bring the browser's globals with them, which would stand in the way of Bun's all over the
// project. TypeScript does not look through this file: it takes the declarations beside it.
export { sso } from "@better-auth/sso";
