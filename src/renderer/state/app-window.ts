/** What only a page in the app's own window does: keep unsent words while the window is given back, and follow the tray. */
import type { HostClient } from '../../contract/host-api.ts';
import { type LanguageChoice, usePreferences } from './preferences.ts';
import { go } from './route.ts';
import { askNewAgent, useScreen } from './screen.ts';

type Words = Readonly<Record<string, string>>;

const isWords = (value: unknown): value is Words =>
  typeof value === 'object' &&
  value !== null &&
  Object.values(value).every((text) => typeof text === 'string');

function wear(kept: string): void {
  const parsed: unknown = JSON.parse(kept);
  if (typeof parsed !== 'object' || parsed === null) return;
  const { unsent, unsavedSouls } = parsed as Record<string, unknown>;
  if (!isWords(unsent) || !isWords(unsavedSouls)) return;
  useScreen.setState((now) => ({
    unsent: { ...unsent, ...now.unsent },
    unsavedSouls: { ...unsavedSouls, ...now.unsavedSouls },
  }));
}

/** The tray's "New agent" is a place in the address that only opens the form. */
function followTray(): void {
  if (location.hash !== '#/new-agent') return;
  go({ view: 'agents', agent: null });
  askNewAgent(true);
}

/** Soon after each pause in typing: nobody tells a page that its window is about to go. */
const pauseMs = 400;

function keepWords(client: HostClient): void {
  let timer: number | undefined;
  useScreen.subscribe(({ unsent, unsavedSouls }, before) => {
    if (unsent === before.unsent && unsavedSouls === before.unsavedSouls) return;
    clearTimeout(timer);
    const screen = JSON.stringify({ unsent, unsavedSouls });
    timer = window.setTimeout(() => void client.call('desktop.keepScreen', { screen }), pauseMs);
  });
}

/** Tray, dialogs and notifications speak what the page does. */
async function tellLanguage(client: HostClient): Promise<void> {
  const tell = (language: LanguageChoice) => client.call('desktop.set', { language });
  usePreferences.subscribe(({ language }, before) => {
    if (language !== before.language) void tell(language);
  });
  const now = await client.call('desktop.view', {});
  const { language } = usePreferences.getState();
  if (now.ok && now.value.settings.language !== language) await tell(language);
}

/** The window is taken away half a minute after it was hidden; its words wait in the app's memory, on no disk. */
export async function liveInApp(client: HostClient): Promise<void> {
  window.addEventListener('hashchange', followTray);
  followTray();
  keepWords(client);
  void tellLanguage(client);
  const taken = await client.call('desktop.takeScreen', {});
  if (taken.ok && taken.value.screen !== '') wear(taken.value.screen);
}
