const command = /(?:["`“„]|\b)kennel ([a-z-]+)(?: ([a-z-]+))?/;

/** Words of the first terminal command that a text names, such as `['auth', 'login']`; `null` if it names none. */
export function commandIn(text: string): readonly string[] | null {
  const found = command.exec(text);
  return found === null ? null : found.slice(1).filter((word) => word !== undefined);
}
