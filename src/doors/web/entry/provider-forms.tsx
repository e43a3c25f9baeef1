import { Type } from "../../../contract/schema.ts";
import { Form } from "../look/form-parts.tsx";
import { type Act, type Ask, act, goOn } from "../page.ts";
import { text } from "../request/form.ts";

/** A button for each provider of sign-in; the page names `providerAct` as its act `provider`. */
export function ProviderForms({ ask, label }: { readonly ask: Ask; readonly label: string }) {
  return (
    <>
      {ask.rooms.signIn.providers().map(({ id, name }) => (
        <Form ask={ask} act="provider" submit={`${label} ${name}`} tone="plain">
          <input type="hidden" name="provider" value={id} />
        </Form>
      ))}
    </>
  );
}

/** @param again whether who is signed in already has to prove it anew. */
export function providerAct<Asked extends Ask = Ask>(
  returnTo: (ask: Asked) => string,
  again?: "again",
): Act<Asked> {
  return act(Type.Object({ provider: text("Provider", 100) }), async (ask: Asked, { provider }) => {
    const { signIn } = ask.rooms;
    if (!signIn.providers().some(({ id }) => id === provider)) {
      return { refusal: "There is no such provider of sign-in." };
    }
    const { location, cookies } = await signIn.startProvider(provider, returnTo(ask), again);
    return goOn(location, cookies);
  });
}
