import { Type } from "../../../contract/schema.ts";
import { defineChoice, defineOptionalText, defineText } from "../form.ts";
import { CheckBox, Field, Form } from "../look/forms.tsx";
import { ButtonLink, Callout, FactList, Panel } from "../look/parts.tsx";
import {
  defineAction,
  defineAdministratorPage,
  defineConfirmed,
  requireFound,
  type SignedInRequest,
} from "../page.ts";
import type { ErasurePreviewLines } from "./administration.ts";
import { StudyPart, startRun } from "./runs-page.tsx";

const personLengthMax = 254;

export const erasurePage = defineAdministratorPage({
  path: "/admin/forget",
  show: (ask) => {
    const form = { ask, act: "look" };
    const body = (
      <Panel title="Find the person">
        <p>
          Forgetting deletes a person permanently, and imports cannot add them again. You see first
          what will be deleted.
        </p>
        <Form {...form} submit="Continue">
          <Field
            form={form}
            name="person"
            label="Login or e-mail address"
            hint="Former logins and addresses work too. Nothing is deleted yet."
          />
        </Form>
      </Panel>
    );
    return { title: "Forget a person", back: backToIdentity, body };
  },
  actions: {
    look: defineAction(
      { person: defineText("Login or e-mail address", personLengthMax) },
      ({ modules }, { person }) => {
        const number = modules.administration.erasures.look(person.trim());
        return { goTo: `/admin/forget/${number}` };
      },
    ),
  },
});

const backToIdentity = { to: "/admin/identity", label: "Back to identities" };

/** The second step of an erasure: the page shows what will be deleted. */
export const erasureFoundPage = defineAdministratorPage({
  path: "/admin/forget/:number",
  show: (ask) => {
    const { person, study } = findErasure(ask);
    const state = study.read();
    const body = (
      <StudyPart
        ask={ask}
        id="found"
        study={state}
        doing={`Looking for all data about ${person}`}
        failure={{
          title: "This person cannot be forgotten",
          help: <ButtonLink to="/admin/forget" label="Try again" />,
        }}
      >
        {state.state === "done" && renderConfirm(ask, person, state.result)}
      </StudyPart>
    );
    return { title: "Forget a person", body, moves: true };
  },
  actions: {
    forget: defineConfirmed(
      {
        reason: defineOptionalText("Reason", 500),
        sure: Type.Optional(defineChoice("One person", ["yes"])),
      },
      (ask, { reason, sure }) => {
        const { person, study } = findErasure(ask);
        const state = study.read();
        const wait = "Wait until the page shows what will be deleted.";
        if (state.state !== "done") return { refusal: wait };
        if (state.result.joinsByName.length > 0 && sure === undefined) {
          return { refusal: "Confirm that all of this belongs to one person.", field: "sure" };
        }
        return startRun(ask, { kind: "forget", person, reason });
      },
    ),
  },
});

function findErasure({ modules, params }: SignedInRequest) {
  const found = modules.administration.erasures.find(params["number"] ?? "");
  return requireFound(found, "This request has expired. Start again.");
}

function renderConfirm(ask: SignedInRequest, person: string, found: ErasurePreviewLines) {
  const form = { ask, act: "forget" };
  const { logins, formerLogins, addresses, accounts, names } = found;
  const facts = Object.entries({
    ...{ Logins: logins, "Earlier logins": formerLogins, Addresses: addresses },
    ...{ Accounts: accounts, Names: names },
  });
  return (
    <div class="with-side">
      <Panel title="What will be deleted">
        <p>
          You asked for <strong class="free">{person}</strong>. Roster knows this as one person:
        </p>
        <FactList facts={facts.map(([label, texts]) => [label, texts.join(", ") || "none"])} />
        {found.joinsByName.length > 0 && (
          <Callout tone="warn" title="Some of this may belong to another person">
            <p>
              Only a name joins these, and anyone can write a name into a commit.{" "}
              {found.logins[0] && (
                <a href={`/developers/${encodeURIComponent(found.logins[0])}/identity`}>
                  Split two people
                </a>
              )}
            </p>
            <ul>
              {found.joinsByName.map(({ evidence, spellings: [one, other] }) => (
                <li class="free">
                  {one} and {other} ({evidence})
                </li>
              ))}
            </ul>
          </Callout>
        )}
        <p>
          Roster deletes their profile, scores, commits, identity decisions and list entries. It
          keeps salted hashes, so that imports do not add them again. For 30 days, administrators'
          programs can ask for the login, to delete their copies. Backups and other copies stay
          until you delete them.
        </p>
      </Panel>
      <Panel title="Confirm">
        <Form {...form} submit="Forget this person" tone="danger" password="unless recent">
          <Field
            form={form}
            name="reason"
            label="Reason"
            hint="Kept with the receipt, for example a ticket number. Do not name the person."
            optional
          />
          {found.joinsByName.length > 0 && (
            <CheckBox id="forget-sure" name="sure" label="All of this is one person" required />
          )}
        </Form>
      </Panel>
    </div>
  );
}
