/** The desktop app answers these methods before they reach a host, so here they fail. */
import { desktopMethods } from '../contract/desktop-methods.ts';
import { fail } from '../contract/fail.ts';
import type { MethodName } from '../contract/methods.ts';
import { err } from '../contract/result.ts';

type DesktopRow = keyof typeof desktopMethods & MethodName;

const refuse = () => err(fail('unsupported', 'host.desktopOnly'));

export const desktopHandlers = Object.fromEntries(
  Object.keys(desktopMethods).map((name) => [name, refuse]),
) as { readonly [M in DesktopRow]: typeof refuse };
