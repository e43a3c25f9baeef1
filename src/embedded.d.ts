/** Files that are embedded in the executable. `type: "file"` imports the path, and `type: "text"` imports the text. */
declare module "*.zst" {
  const path: string;
  export default path;
}
declare module "*.bin" {
  const path: string;
  export default path;
}
declare module "*.sql" {
  const text: string;
  export default text;
}
declare module "*.txt" {
  const text: string;
  export default text;
}
declare module "*.md" {
  const text: string;
  export default text;
}
declare module "*.css" {
  const text: string;
  export default text;
}
declare module "*.svg" {
  const text: string;
  export default text;
}
declare module "*/complete.js" {
  const text: string;
  export default text;
}
declare module "*/page.js" {
  const text: string;
  export default text;
}
declare module "*/tray.js" {
  const text: string;
  export default text;
}
declare module "htmx.org/dist/htmx.min.js" {
  const path: string;
  export default path;
}
