/** The parts of every form: labels tied to their fields, and a refusal that links to the field at fault. */
import { passwordLengthMin } from "../../../accounts/accounts.ts";
import type { PageRequest } from "../page.ts";
import type { Children } from "./jsx-runtime.ts";

/** The form that a part belongs to. */
export interface FormProps {
  readonly ask: PageRequest;
  /** Name of the action in the page's record. */
  readonly act: string;
}

interface FormProperties extends FormProps {
  readonly submit: string;
  readonly tone?: "plain" | "danger";
  /** For a form with one button and no fields, which is laid out inline. */
  readonly inline?: true;
  /** Of the button: keeps the focus on it when its part of the page is fetched again. */
  readonly id?: string;
  /** The letter that presses the button, within a part that has `data-keys`. */
  readonly letter?: string;
  readonly children?: Children;
}

/**
 * Posts to its own page, by a URL without `#main`: browsers would keep the fragment and move the focus there instead of
 * to the message about what was refused or done.
 */
export function Form({ ask, act, submit, tone, inline, id, letter, children }: FormProperties) {
  const { pathname, search } = ask.url;
  return (
    <form method="post" action={pathname + search} class={inline ? "inline" : "stack"}>
      <input type="hidden" name="token" value={ask.token} />
      <input type="hidden" name="act" value={act} />
      {children}
      <div class="actions">
        <button type="submit" class={tone} id={id} data-key={letter}>
          {submit}
        </button>
      </div>
    </form>
  );
}

interface FieldProperties {
  readonly form: FormProps;
  readonly name: string;
  readonly label: string;
  readonly type?: "text" | "email" | "password";
  readonly hint?: string;
  readonly value?: string | undefined;
  readonly autocomplete?: string;
  readonly optional?: true;
  readonly lengthMin?: number;
  readonly inputmode?: "numeric";
}

export function Field(properties: FieldProperties) {
  const { form, name, label, type = "text", hint, value, optional } = properties;
  const { id, hintId, problemId, message, given } = getFieldState(form, name);
  const isSecret = type === "password";
  return (
    <div class="field">
      <label for={id}>
        {label}
        {optional && <span class="muted"> (optional)</span>}
      </label>
      {hint && (
        <p class="hint" id={hintId}>
          {hint}
        </p>
      )}
      {message && (
        <p class="wrong" id={problemId}>
          {message}
        </p>
      )}
      <div class="box">
        <input
          id={id}
          name={name}
          type={type}
          value={isSecret ? undefined : (given ?? value)}
          required={!optional}
          minlength={properties.lengthMin}
          autocomplete={properties.autocomplete ?? "off"}
          inputmode={properties.inputmode}
          spellcheck={type === "text" ? undefined : "false"}
          aria-invalid={message ? "true" : undefined}
          aria-describedby={joinIds(hint && hintId, message && problemId)}
        />
        {isSecret && (
          <button type="button" class="quiet needs-script" data-reveal={id}>
            Show<span class="unseen"> {label.toLowerCase()}</span>
          </button>
        )}
      </div>
    </div>
  );
}

/** A field for choosing a password, with its rules. */
export function NewPassword(
  properties: Pick<FieldProperties, "form" | "label"> & { readonly name?: string },
) {
  return (
    <Field
      name="password"
      {...properties}
      type="password"
      hint={`At least ${passwordLengthMin} characters, any of them; a few random words are good.`}
      lengthMin={passwordLengthMin}
      autocomplete="new-password"
    />
  );
}

interface ChoiceProperties {
  readonly form: FormProps;
  readonly name: string;
  readonly label: string;
  readonly options: readonly { readonly value: string; readonly label: string }[];
  readonly value: string;
}

export function Choice({ form, name, label, options, value }: ChoiceProperties) {
  const { id, problemId, message, given } = getFieldState(form, name);
  return (
    <div class="field">
      <label for={id}>{label}</label>
      {message && (
        <p class="wrong" id={problemId}>
          {message}
        </p>
      )}
      <select
        id={id}
        name={name}
        aria-invalid={message ? "true" : undefined}
        aria-describedby={message ? problemId : undefined}
      >
        {options.map((option) => (
          <option value={option.value} selected={option.value === (given ?? value)}>
            {option.label}
          </option>
        ))}
      </select>
    </div>
  );
}

/** The password field of actions that ask for it again. */
export function PasswordAgain({ form }: { readonly form: FormProps }) {
  return (
    <>
      {form.ask.visitor && <HiddenUsername email={form.ask.visitor.account.email} />}
      <Field
        form={form}
        name="password"
        label="Your password"
        type="password"
        hint="Asked again, so that nobody else at this browser can."
        autocomplete="current-password"
      />
    </>
  );
}

/** For password managers, which store a password under the user name beside it; never sent. */
export function HiddenUsername({ email }: { readonly email: string }) {
  return <input hidden type="email" value={email} autocomplete="username" readonly />;
}

/** Shows at the top of the page why the action was refused, with the focus and a link to the field at fault. */
export function Problems({ ask: { refused } }: { readonly ask: PageRequest }) {
  if (!refused) return undefined;
  const { act, field, message } = refused;
  return (
    <div class="notice wrong-notice" role="alert" tabindex={-1} autofocus>
      <h2>That was not done</h2>
      <p>{field ? <a href={`#${getFieldId(act, field)}`}>{message}</a> : message}</p>
    </div>
  );
}

/** Hides an action that cannot be undone behind a disclosure, so that nobody clicks it by mistake. */
export function PasswordProtected({
  ask,
  act,
  label,
  children,
}: {
  readonly ask: PageRequest;
  readonly act: string;
  readonly label: string;
  readonly children: Children;
}) {
  return (
    <details class="guarded" open={ask.refused?.act === act}>
      <summary>{label}</summary>
      <div class="guarded-body">{children}</div>
    </details>
  );
}

const getFieldId = (act: string, name: string) => `${act}-${name}`;

function getFieldState({ ask, act }: FormProps, name: string) {
  const id = getFieldId(act, name);
  const refused = ask.refused?.act === act ? ask.refused : undefined;
  const message = refused?.field === name ? refused.message : undefined;
  const given = refused?.given[name];
  return { id, hintId: `${id}-hint`, problemId: `${id}-problem`, message, given };
}

function joinIds(...ids: readonly (string | undefined)[]): string | undefined {
  return ids.filter(Boolean).join(" ") || undefined;
}
