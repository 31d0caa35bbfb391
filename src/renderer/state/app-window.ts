/**
 * Behaviour of the page in the desktop app only: saves unsent text before the window is released, and follows
 * the tray.
 */
import type { HostClient } from '../../contract/host-api.ts';
import { openSpaceDialog } from '../spaces/open-dialog.ts';
import { type LanguageChoice, usePreferences } from './preferences.ts';
import { go, parseRoute, routeHash } from './route.ts';
import { askNewAgent, type UnsavedText, useScreen } from './screen.ts';

type Words = Readonly<Record<string, string>>;

const isWords = (value: unknown): value is Words =>
  typeof value === 'object' &&
  value !== null &&
  Object.values(value).every((text) => typeof text === 'string');

const isTexts = (value: unknown): value is Readonly<Record<string, UnsavedText>> =>
  typeof value === 'object' && value !== null && Object.values(value).every(isWords);

function wear(kept: string): void {
  const parsed: unknown = JSON.parse(kept);
  if (typeof parsed !== 'object' || parsed === null) return;
  const { unsent, unsavedSouls, unsavedWorkflows = {} } = parsed as Record<string, unknown>;
  if (!isWords(unsent) || !isWords(unsavedSouls) || !isTexts(unsavedWorkflows)) return;
  useScreen.setState((now) => ({
    unsent: { ...unsent, ...now.unsent },
    unsavedSouls: { ...unsavedSouls, ...now.unsavedSouls },
    unsavedWorkflows: { ...unsavedWorkflows, ...now.unsavedWorkflows },
  }));
}

/** The tray's "New agent" and an opened invite link set addresses that only open a form over the page at `before`. */
async function followApp(client: HostClient, before: string): Promise<void> {
  if (location.hash === '#/new-agent') {
    go({ view: 'agents', agent: null });
    askNewAgent(true);
  }
  if (location.hash !== '#/join') return;
  // Before the call, so that a link that is opened meanwhile changes the address and is taken as well.
  history.replaceState(null, '', routeHash(parseRoute(before)));
  const taken = await client.call('desktop.takeLink', {});
  // A locked window refuses; it loads again at this address once it is unlocked.
  if (!taken.ok) return history.replaceState(null, '', '#/join');
  if (taken.value.link !== '') openSpaceDialog({ type: 'join', link: taken.value.link });
}

/**
 * Debounce in ms. The page gets no warning before its window is released, so it saves after each pause in
 * typing.
 */
const pauseMs = 400;

function keepWords(client: HostClient): void {
  let timer: number | undefined;
  useScreen.subscribe(({ unsent, unsavedSouls, unsavedWorkflows }, before) => {
    const isSame =
      unsent === before.unsent &&
      unsavedSouls === before.unsavedSouls &&
      unsavedWorkflows === before.unsavedWorkflows;
    if (isSame) return;
    clearTimeout(timer);
    const screen = JSON.stringify({ unsent, unsavedSouls, unsavedWorkflows });
    timer = window.setTimeout(() => void client.call('desktop.keepScreen', { screen }), pauseMs);
  });
}

/** Tells the app the page's language for tray, dialogs and notifications. */
async function tellLanguage(client: HostClient): Promise<void> {
  const tell = (language: LanguageChoice) => client.call('desktop.set', { language });
  usePreferences.subscribe(({ language }, before) => {
    if (language !== before.language) void tell(language);
  });
  const now = await client.call('desktop.view', {});
  const { language } = usePreferences.getState();
  if (now.ok && now.value.settings.language !== language) await tell(language);
}

/**
 * The app destroys the window 30 s after it was hidden; unsent text waits in the app's memory, never on disk.
 */
export async function liveInApp(client: HostClient): Promise<void> {
  window.addEventListener('hashchange', ({ oldURL }) => void followApp(client, new URL(oldURL).hash));
  void followApp(client, '');
  keepWords(client);
  void tellLanguage(client);
  const taken = await client.call('desktop.takeScreen', {});
  if (taken.ok && taken.value.screen !== '') wear(taken.value.screen);
}
