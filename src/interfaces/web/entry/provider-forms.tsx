import { Type } from "../../../contract/schema.ts";
import { Form } from "../look/form-parts.tsx";
import { defineAction, type PageAction, type PageRequest, redirectTo } from "../page.ts";
import { defineText } from "../request/form.ts";

/** A button for each provider of sign-in; the page names `providerAct` as its act `provider`. */
export function ProviderForms({
  ask,
  label,
}: {
  readonly ask: PageRequest;
  readonly label: string;
}) {
  return (
    <>
      {ask.modules.signIn.providers().map(({ id, name }) => (
        <Form ask={ask} act="provider" submit={`${label} ${name}`} tone="plain">
          <input type="hidden" name="provider" value={id} />
        </Form>
      ))}
    </>
  );
}

/** @param again whether who is signed in already has to prove it anew. */
export function createProviderAction<Asked extends PageRequest = PageRequest>(
  returnTo: (ask: Asked) => string,
  again?: "again",
): PageAction<Asked> {
  return defineAction(
    Type.Object({ provider: defineText("Provider", 100) }),
    async (ask: Asked, { provider }) => {
      const { signIn } = ask.modules;
      if (!signIn.providers().some(({ id }) => id === provider)) {
        return { refusal: "There is no such provider of sign-in." };
      }
      const { location, cookies } = await signIn.startProvider(provider, returnTo(ask), again);
      return redirectTo(location, cookies);
    },
  );
}
