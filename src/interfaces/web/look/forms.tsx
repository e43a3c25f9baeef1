/** The parts of forms: fields with labels, buttons, and the message about a refused form, which links to the wrong field. */
import { passwordLengthMin } from "../../../accounts/accounts.ts";
import { isSecretField } from "../form.ts";
import type { PageRequest } from "../page.ts";
import type { Children, JSX } from "./jsx-runtime.ts";
import { Callout, Message } from "./parts.tsx";

export interface FormProps {
  readonly ask: PageRequest;
  /** The name of the action, as in the `actions` of the page. */
  readonly act: string;
  /** The login of the person that the form is about, if the page has the same form for several people. */
  readonly person?: string;
}

interface FormProperties extends FormProps {
  /** Label of the button. If absent, the form has no button of its own; a button elsewhere on the page sends it. */
  readonly submit?: string;
  readonly tone?: "plain" | "danger" | "quiet";
  /** Lays the form out inline. For a form with one button and no visible fields. */
  readonly inline?: boolean;
  /** Path of the page that has the action. Default: the current page. */
  readonly to?: string;
  /** Whether the form asks for the password: always, or unless the sign-in is recent. Default: never. */
  readonly password?: "always" | "unless recent";
  /** Names and values that are sent with the form and not shown. */
  readonly hidden?: Readonly<Record<string, string>>;
  /** Id of the button. With an id, the button keeps the focus when htmx replaces its part of the page. */
  readonly id?: string;
  /** The key that presses the button while the focus is in an element with `data-keys`. */
  readonly letter?: string;
  readonly children?: Children;
}

/** A form that sends an action. Its URL has no fragment, because a fragment would take the focus from the notice. */
export function Form(properties: FormProperties) {
  const { ask, act, person, submit, tone, inline, to, hidden, password, ...more } = properties;
  const { pathname, search } = ask.url;
  const unseen = { token: ask.token, act, ...(person && { login: person }), ...hidden };
  const attributes = { id: submit ? undefined : act, action: to ?? pathname + search };
  return (
    <form method="post" {...attributes} class={inline ? "inline" : "stack"}>
      {Object.entries(unseen).map(([name, value]) => (
        <input type="hidden" name={name} value={value} />
      ))}
      {more.children}
      {password && <PasswordAgain ask={ask} act={act} when={password} />}
      {submit && (
        <div class="actions">
          <button type="submit" class={tone} id={more.id} data-key={more.letter}>
            {submit}
          </button>
        </div>
      )}
    </form>
  );
}

function PasswordAgain({ when, ...form }: FormProps & { when: FormProperties["password"] }) {
  const { visitor } = form.ask;
  if (!visitor?.hasPassword || (visitor.isFresh && when !== "always")) return undefined;
  return (
    <>
      <HiddenUsername email={visitor.account.email} />
      <CurrentPassword
        form={form}
        label="Your password"
        hint="Asked again, so that no one else at this browser can do this."
      />
    </>
  );
}

interface LabelProperties {
  /** The form that posts the field. Absent for a field of a search. */
  readonly form?: FormProps | undefined;
  readonly name: string;
  readonly label: string;
  readonly hint?: Children;
  readonly optional?: true | undefined;
}

export type InputAttributes = Omit<
  JSX.IntrinsicElements["input"],
  "id" | "form" | "name" | "class" | "children"
>;

interface FieldProperties extends LabelProperties, InputAttributes {
  readonly class?: string;
  /** Elements that are shown after the input. */
  readonly children?: Children;
}

/** An input with its label, its hint and the message about a wrong value. Other attributes go to the input. */
export function Field({ form, name, label, hint, optional, ...others }: FieldProperties) {
  const isSecret = isSecretField(name);
  const { type = isSecret ? "password" : "text", value, children, autofocus, ...more } = others;
  const { class: className, ...attributes } = more;
  // If there is a message about the last action, the message gets the focus.
  const isFirst = autofocus && !form?.ask.refused && !form?.ask.notice;
  const { id, given, described, labels } = renderLabels({ form, name, label, hint, optional });
  const input = (
    <input
      id={id}
      name={name}
      type={type}
      value={isSecret ? undefined : (given ?? value)}
      required={form !== undefined && !optional}
      autocomplete={form && "off"}
      autofocus={isFirst === true}
      spellcheck={isSecret || type === "email" ? "false" : undefined}
      {...attributes}
      {...described}
    />
  );
  return (
    <div class={["field", className].filter(Boolean).join(" ")}>
      {labels}
      {isSecret ? (
        <div class="box">
          {input}
          <button type="button" class="quiet needs-script" data-reveal={id}>
            Show<span class="unseen"> {label.toLowerCase()}</span>
          </button>
        </div>
      ) : (
        input
      )}
      {children}
    </div>
  );
}

/** A field whose names the script of the page completes. */
export const CompletedField = (properties: FieldProperties & { "data-completes": string }) => (
  <Field class="completed" autocomplete="off" spellcheck="false" {...properties} />
);

type TextAreaProperties = LabelProperties & Omit<JSX.IntrinsicElements["textarea"], "form">;

/** A field of several lines. With `data-drop`, a file that is dropped on the field becomes its text. */
export function TextArea({ form, name, label, hint, optional, ...others }: TextAreaProperties) {
  const { children, ...attributes } = others;
  const { id, given, described, labels } = renderLabels({ form, name, label, hint, optional });
  return (
    <div class="field">
      {labels}
      <textarea id={id} name={name} {...attributes} {...described}>
        {given ?? children}
      </textarea>
    </div>
  );
}

export const EmailField = (properties: Pick<FieldProperties, "form" | "value" | "autofocus">) => (
  <Field name="email" label="E-mail" type="email" autocomplete="username" {...properties} />
);

export function CurrentPassword(
  properties: Pick<LabelProperties, "form" | "label" | "hint"> & { readonly name?: string },
) {
  return <Field name="password" {...properties} autocomplete="current-password" />;
}

export function NewPassword(
  properties: Pick<LabelProperties, "form" | "label"> & {
    readonly name?: string;
    readonly autofocus?: boolean;
  },
) {
  return (
    <Field
      name="password"
      {...properties}
      hint={`At least ${passwordLengthMin} characters, any of them; a few random words are good.`}
      minlength={passwordLengthMin}
      autocomplete="new-password"
    />
  );
}

interface ChoiceProperties extends LabelProperties {
  readonly options: readonly { readonly value: string; readonly label: string }[];
  readonly value: string;
}

export function Choice({ options, value, ...properties }: ChoiceProperties) {
  const { id, given, described, labels } = renderLabels(properties);
  return (
    <div class="field">
      {labels}
      <select id={id} name={properties.name} {...described}>
        {options.map((option) => (
          <option value={option.value} selected={option.value === (given ?? value)}>
            {option.label}
          </option>
        ))}
      </select>
    </div>
  );
}

type CheckProperties = Pick<InputAttributes, "checked" | "required"> & {
  readonly id?: string;
  readonly name: string;
  readonly label: Children;
};

export const CheckBox = ({ label, ...attributes }: CheckProperties) => (
  <label class="inline-field">
    <input type="checkbox" value="yes" {...attributes} />
    {label}
  </label>
);

/** Renders the label, the hint and the message about a wrong value, and the attributes that connect them to the input. */
function renderLabels({ form, name, label, hint, optional }: LabelProperties) {
  const refused = form && isRefused(form) ? form.ask.refused : undefined;
  // The message at the top links to the id without a login. Of several forms for people, only the refused form has that id.
  const ofPerson = form?.person === undefined || refused ? "" : `-${form.person}`;
  const id = form ? `${getFieldId(form.act, name)}${ofPerson}` : name;
  const message = refused?.field === name ? refused.message : undefined;
  const describing = [hint && `${id}-hint`, message && `${id}-problem`].filter(Boolean).join(" ");
  const described = {
    "aria-invalid": message ? "true" : undefined,
    "aria-describedby": describing || undefined,
  };
  const labels = (
    <>
      <label for={id}>
        {label}
        {optional && <span class="muted"> (optional)</span>}
      </label>
      {hint && (
        <p class="hint" id={`${id}-hint`}>
          {hint}
        </p>
      )}
      {message && (
        <p class="wrong" id={`${id}-problem`}>
          {message}
        </p>
      )}
    </>
  );
  return { id, given: refused?.given[name], described, labels };
}

/** A hidden field with the user name, for password managers. Browsers do not send this field. */
export const HiddenUsername = ({ email }: { readonly email: string }) => (
  <input hidden type="email" value={email} autocomplete="username" readonly />
);

/** Shows at the top of the page why the action was refused, with a link to the wrong field. The message gets the focus. */
export function Problems({ ask: { refused } }: { readonly ask: PageRequest }) {
  if (!refused) return undefined;
  const { act, field, message } = refused;
  const reason = <Message text={message} />;
  return (
    <Callout tone="wrong" title="That did not work" role="alert" isFocused>
      <p>{field ? <a href={`#${getFieldId(act, field)}`}>{reason}</a> : reason}</p>
    </Callout>
  );
}

/** Folds up a part that is seldom needed or dangerous. If its `form` was refused, the part is open. */
export function Disclosure(
  properties: { label: string; children: Children } & { form?: FormProps; isOpen?: boolean },
) {
  const { label, form, isOpen, children } = properties;
  return (
    <details class="guarded" open={isOpen ?? (form && isRefused(form))}>
      <summary>{label}</summary>
      <div class="guarded-body">{children}</div>
    </details>
  );
}

/** A folded-up form for a dangerous action. `children` are shown before the button and describe the consequences. */
export function GuardedForm({ label, children, ...form }: FormProperties & { label: string }) {
  return (
    <Disclosure form={form} label={label}>
      {children}
      <Form {...form} tone="danger" />
    </Disclosure>
  );
}

const getFieldId = (act: string, name: string) => `${act}-${name}`;

/** Whether the page is shown again because this form was refused. */
export function isRefused({ ask: { refused }, act, person }: FormProps): boolean {
  if (refused?.act !== act) return false;
  return person === undefined || refused.given["login"]?.toLowerCase() === person.toLowerCase();
}
