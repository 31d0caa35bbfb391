/**
 * The invite link that another program opened in Kennel, from the arguments of a start or from macOS's event (T21).
 * A link only opens the dialog that asks; nothing here connects to a server.
 */
import { readSpaceLink, spaceLink } from '../contract/invite-link.ts';

/** Code units; a real link has about a hundred. */
const longest = 1_000;

/** The page that takes the link and opens the dialog. */
export const joinRoute = '#/join';

/** The one invite link among the arguments, built again from its checked parts. `null` for anything else. */
export function inviteLinkIn(argv: readonly string[]): string | null {
  const [address, ...others] = argv.filter((argument) => /^\s*kennel:/i.test(argument));
  if (address === undefined || others.length > 0 || address.length > longest) return null;
  const link = readSpaceLink(address);
  return link === null ? null : spaceLink(link);
}

export interface OpenedLink {
  waits(): boolean;
  /** Keeps the link for the page; false if the arguments contain none. */
  open(argv: readonly string[]): boolean;
  /** Hands the link over once; empty if none waits. */
  take(): string;
}

export function createOpenedLink(argv: readonly string[]): OpenedLink {
  let link = inviteLinkIn(argv) ?? '';
  return {
    waits: () => link !== '',
    open(args) {
      const found = inviteLinkIn(args);
      link = found ?? link;
      return found !== null;
    },
    take() {
      const taken = link;
      link = '';
      return taken;
    },
  };
}
