/**
 * Replaces terminal commands in the next step of an error. The host names a command, because its errors also
 * appear in a terminal; the window opens the screen that does the same.
 */
import type { AppError } from '../../contract/errors.ts';
import { commandIn } from '../../language/command-in.ts';
import { t } from '../../language/texts.ts';
import type { SettingsPart } from '../settings/settings-parts.ts';
import type { Route } from './route.ts';

type Screen = SettingsPart | 'agents' | 'chat' | 'home' | 'inbox' | 'work';

/** Screens by the first word of a command. */
const screens: Readonly<Record<string, Screen>> = {
  agent: 'agents',
  approvals: 'inbox',
  audit: 'security',
  auth: 'models',
  backup: 'backup',
  budget: 'budget',
  chat: 'chat',
  channel: 'chat',
  contacts: 'people',
  demo: 'about',
  export: 'agents',
  images: 'agents',
  import: 'agents',
  invite: 'chat',
  invites: 'chat',
  mcp: 'mcp',
  members: 'chat',
  memory: 'agents',
  operator: 'devices',
  pairing: 'bridge',
  peers: 'people',
  proxy: 'models',
  puppy: 'work',
  relay: 'server',
  restore: 'backup',
  runtimes: 'agents',
  schedule: 'work',
  search: 'chat',
  service: 'general',
  skills: 'skills',
  snapshot: 'agents',
  space: 'chat',
  start: 'home',
  status: 'doctor',
  stop: 'general',
  task: 'work',
  undo: 'work',
  unlock: 'security',
  work: 'work',
  workers: 'work',
};

/** Screen that replaces the first command in the text, or `null` if it names none. */
export function screenFor(text: string): Screen | null {
  const found = commandIn(text);
  if (found === null) return null;
  const [verb = '', second] = found;
  if (verb === 'agent' && second === 'runtime') return 'models';
  return Object.hasOwn(screens, verb) ? (screens[verb] ?? null) : null;
}

export interface ErrorFix {
  readonly label: string;
  readonly route: Route;
}

/** The button that replaces a command in the next step; `null` without one. */
export function errorFix({ hint }: Pick<AppError, 'hint'>): ErrorFix | null {
  const screen = hint === undefined ? null : screenFor(hint);
  if (screen === null) return null;
  switch (screen) {
    case 'agents':
      return { label: open(t('palette.agents')), route: { view: 'agents', agent: null } };
    case 'chat':
      return { label: open(t('palette.chat')), route: { view: 'chat', room: null } };
    case 'home':
      return { label: open(t('palette.home')), route: { view: 'home' } };
    case 'inbox':
      return { label: open(t('palette.inbox')), route: { view: 'inbox', id: null } };
    case 'work':
      return { label: open(t('palette.work')), route: { view: 'work', place: null } };
    default:
      return { label: open(t(`settings.${screen}`)), route: { view: 'settings', section: screen } };
  }
}

const open = (screen: string): string => t('parts.openScreen', { screen });
