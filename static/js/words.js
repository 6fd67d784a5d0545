/** A sentence of the server's with its {names} filled in. */
export const fill = (template, values) =>
  template.replace(/\{(\w+)\}/g, (_, name) => String(values[name] ?? ""));
