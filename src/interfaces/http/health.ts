import { type App, refuseOtherMethods } from "./app.ts";
import { createJsonResponse } from "./responses.ts";

/** `/livez`: this thread turns. `/readyz`: calls can be served, or why they cannot. Neither needs a key. */
export function mountHealth(app: App, faults: () => Promise<readonly string[]>): void {
  app.get("/livez", () => createJsonResponse(200, { live: true }));
  app.get("/readyz", async () => {
    const reasons = await faults();
    return reasons.length === 0
      ? createJsonResponse(200, { ready: true })
      : createJsonResponse(503, { ready: false, reasons });
  });
  refuseOtherMethods(app, "/livez", "GET");
  refuseOtherMethods(app, "/readyz", "GET");
}
