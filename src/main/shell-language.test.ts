import { afterEach, expect, it } from 'vitest';
import { shellLanguageSchema } from '../contract/desktop-methods.ts';
import type { HostView } from '../contract/model.ts';
import { languages } from '../language/choose-language.ts';
import { locale, setLanguage } from '../language/texts.ts';
import { announceOnDesktop } from './notification-text.ts';
import { speakShell } from './shell-language.ts';
import { shellHtml } from './shell-pages.ts';
import { trayView } from './tray-view.ts';

afterEach(() => setLanguage('en'));

it('Shell languages are all text languages plus the system', () => {
  expect([...shellLanguageSchema.options].sort()).toEqual([...Object.keys(languages), 'system'].sort());
});

it('The shell language follows the system unless the person chose one', async () => {
  await speakShell('system', ['de-AT', 'en-US']);
  expect(locale()).toBe('de');
  await speakShell('en', ['de-AT']);
  expect(locale()).toBe('en');
  await speakShell('system', ['fr-FR']);
  expect(locale()).toBe('en');
});

it('The tray, notifications and shell pages are German if German is chosen', async () => {
  await speakShell('de', []);
  const spentToday = { tokens: 0, usd: null, unpriced: 0, simulated: false };
  const host = { state: 'ready', waiting: 2, firstRun: false, spentToday } as HostView;
  const view = trayView({ link: 'up', otherPid: null, host, agents: {}, update: null, isLocked: false });
  expect(view).toMatchObject({ line: 'Noch keine Agenten', waiting: '2 warten auf dich' });
  const [said] = announceOnDesktop(
    [{ kind: 'finished', who: 'Ada', text: '', route: '#/home', approval: null } as never],
    { notify: { approvals: true, finished: true, failed: true, mentioned: true }, notifyText: false },
  );
  expect(said).toMatchObject({ title: 'Ada hat dir geantwortet', body: 'Öffne Kennel, um es zu lesen.' });
  const html = shellHtml({ title: 'Kennel', lines: [], buttons: [], countdown: 30 });
  expect(html).toContain('<html lang="de">');
  expect(html).toContain('data-before="Höchstens noch "');
});
