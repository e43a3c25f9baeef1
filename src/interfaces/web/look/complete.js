// Completes names in fields, as a combobox of the ARIA practices. Fields work without it.
const waitMs = 60;
const lettersMin = { people: 3, logins: 3, path: 1 };
const otherLettersMin = 2;
const askedOf = {
  people: "find/names",
  logins: "find/names",
  repository: "who/terms",
  path: "who/terms",
};

for (const box of document.querySelectorAll("input[data-completes]")) {
  complete(box);
}
for (const form of document.querySelectorAll("form[data-tidy]")) {
  form.addEventListener("formdata", ({ formData }) => tidy(formData));
}

// Removes empty fields and trailing commas, so that the address stays short.
function tidy(formData) {
  const fields = [...formData].map(([name, value]) => [name, value.replace(/[,\s]+$/, "").trim()]);
  for (const [name] of fields) formData.delete(name);
  for (const [name, text] of fields) if (text !== "") formData.append(name, text);
}

function complete(box) {
  const list = createList(box);
  const state = { options: [], active: -1, timer: 0, asked: undefined };
  box.addEventListener("input", () => {
    clearTimeout(state.timer);
    state.timer = setTimeout(() => lookUp(box, list, state), waitMs);
  });
  box.addEventListener("keydown", (event) => press(event, { box, list, state }));
  box.addEventListener("blur", () => close(box, list, state));
  list.addEventListener("mousedown", (event) => {
    event.preventDefault();
    const at = [...list.children].indexOf(event.target.closest("li"));
    if (at >= 0) choose(box, list, state, at);
  });
}

function createList(box) {
  const list = create("ul", { id: `${box.id}-list`, className: "options", role: "listbox" });
  list.ariaLabel = box.labels[0]?.textContent ?? "People";
  list.hidden = true;
  box.after(list);
  Object.assign(box, { role: "combobox", ariaAutoComplete: "list", ariaExpanded: "false" });
  box.setAttribute("aria-controls", list.id);
  return list;
}

// Finds the part that is being typed: in a list, the text between the commas around the cursor.
function findPart(box) {
  if (box.dataset.separated === undefined) return { start: 0, end: box.value.length };
  const start = box.value.lastIndexOf(",", box.selectionStart - 1) + 1;
  const next = box.value.indexOf(",", box.selectionStart);
  return { start, end: next < 0 ? box.value.length : next };
}

async function lookUp(box, list, state) {
  const { start, end } = findPart(box);
  const q = box.value.slice(start, end).trim();
  state.asked?.abort();
  const field = box.dataset.completes;
  if (q.length < (lettersMin[field] ?? otherLettersMin)) return close(box, list, state);
  state.asked = new AbortController();
  const query = new URLSearchParams({ field, q });
  // Paths are completed in the repository that the form names.
  if (field === "path") query.set("repository", box.form.elements.repository.value);
  const path = askedOf[field] ?? "search/terms";
  // The address is relative to the form's action, because Roster can be served below a path.
  const asked = new URL(`${path}?${query}`, box.form.action);
  const { signal } = state.asked;
  const answer = await fetch(asked, { signal }).catch(() => undefined);
  if (signal.aborted || document.activeElement !== box) return;
  // If the look-up is refused, for example after signing out, nothing is completed.
  const found = answer?.ok ? await answer.json().catch(() => undefined) : undefined;
  if (signal.aborted) return;
  const terms = found?.terms ?? [];
  // A complete name needs no options, unless it is a person whose page can be opened.
  const isWhole =
    field !== "people" && terms.length === 1 && (terms[0].login ?? terms[0].name) === q;
  state.options = isWhole ? [] : terms;
  open(box, list, state);
}

function open(box, list, state) {
  state.active = -1;
  list.replaceChildren(
    ...state.options.map(({ name, people, about }, at) => {
      const option = create("li", {
        id: `${list.id}-${at}`,
        role: "option",
        ariaSelected: "false",
      });
      const textContent = about ?? people.toLocaleString("en");
      const note = create("span", { className: "muted small number", textContent });
      option.append(create("bdi", { textContent: name }), " ", note);
      return option;
    }),
  );
  list.hidden = state.options.length === 0;
  box.setAttribute("aria-expanded", String(!list.hidden));
  box.removeAttribute("aria-activedescendant");
}

function close(box, list, state) {
  clearTimeout(state.timer);
  state.asked?.abort();
  state.options = [];
  open(box, list, state);
}

function press(event, { box, list, state }) {
  const { options, active } = state;
  const isOpen = options.length > 0;
  if (event.isComposing) return;
  if (event.key === "ArrowDown" || event.key === "ArrowUp") {
    if (!isOpen) return;
    event.preventDefault();
    const step = event.key === "ArrowDown" ? 1 : -1;
    // The arrow keys also reach the text field itself.
    const places = options.length + 1;
    activate(box, list, state, ((active + 1 + step + places) % places) - 1);
  } else if (event.key === "Escape") {
    // Called even if the list is closed, because it also cancels the request under way.
    if (isOpen) event.preventDefault();
    close(box, list, state);
  } else if (active >= 0 && (event.key === "Enter" || event.key === box.dataset.separated)) {
    event.preventDefault();
    choose(box, list, state, active);
  }
}

function activate(box, list, state, at) {
  list.children[state.active]?.setAttribute("aria-selected", "false");
  state.active = at;
  const option = list.children[at];
  if (!option) return box.removeAttribute("aria-activedescendant");
  option.setAttribute("aria-selected", "true");
  option.scrollIntoView({ block: "nearest" });
  box.setAttribute("aria-activedescendant", option.id);
}

// Takes an option. Adds a comma in a field for several names, lists the content of a folder, and opens the page of a person.
function choose(box, list, state, at) {
  const { name, login } = state.options[at];
  const field = box.dataset.completes;
  if (field === "people") {
    location.assign(new URL(`developers/${encodeURIComponent(login)}`, box.form.action));
    return close(box, list, state);
  }
  const { start, end } = findPart(box);
  const isList = box.dataset.separated !== undefined;
  const before = start > 0 ? `${box.value.slice(0, start)} ` : "";
  const after = box.value.slice(end);
  const text = `${before}${login ?? name}${isList && after === "" ? ", " : ""}`;
  box.value = text + after;
  box.setSelectionRange(text.length, text.length);
  close(box, list, state);
  if (field === "path" && name.endsWith("/")) box.dispatchEvent(new Event("input"));
}
