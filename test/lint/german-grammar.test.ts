import { describe, expect, it } from 'vitest';
import { cliGerman } from '../../src/language/german/cli.ts';
import { hostGerman } from '../../src/language/german/host.ts';
import { fillSlots, findTemplate, type HostValues } from '../../src/language/host-message.ts';

const german = (key: string, values: HostValues = {}): string =>
  fillSlots(findTemplate({ ...hostGerman, ...cliGerman }, key) ?? key, values, 'de', String);

describe('German sentences', () => {
  it.each([
    ['cliStatus.waitingForYou', { count: 1 }, '1 wartet auf dich'],
    ['cliStatus.waitingForYou', { count: 2 }, '2 warten auf dich'],
    ['cliApprovals.agreedSoFar', { length: 1, needed: 2 }, ' 1 von 2 hat zugestimmt.'],
    ['cliApprovals.agreedSoFar', { length: 2, needed: 3 }, ' 2 von 3 haben zugestimmt.'],
    ['cliBridge.tries', { failed: 1 }, '1 von 10 Versuchen ist gescheitert.'],
    [
      'cliAudit.holds',
      { lines: 1 },
      'Das Prüfprotokoll ist unversehrt: 1 Zeile, keine geändert, dazwischen fehlt keine.',
    ],
  ])('agree with their numbers: %s %j', (key, values, text) => {
    expect(german(key, values)).toBe(text);
  });

  it('take the rule of an approval, which may be a noun or a verb', () => {
    const ask = (rule: string): string => german('cliApprovals.allowQuestion', { rule });
    expect(ask(german('approvals.thisCall'))).toBe('Erlauben: dieser Aufruf, jetzt?');
    expect(ask(german('approvals.shareRule', { what: 'Dateien', where: '#general' }))).toBe(
      'Erlauben: Dateien mit #general teilen?',
    );
  });

  it.each(['paused', 'directOff', 'mentionsOff', 'neverHere', 'chose'])(
    'give a reason as a clause with a subject: %s',
    (reason) => {
      expect(german('why.silent', { why: german(`why.${reason}`) })).toMatch(
        /^hat nicht geantwortet: er \p{L}+/u,
      );
    },
  );

  it.each(['yourAccount', 'agentChanges', 'tasks', 'agentUsage', 'workflowRuns', 'questions'])(
    'name a store so that it may stand before a colon and after „für“: %s',
    (store) => {
      const what = german(`storage.${store}`);
      expect(german('storage.storeFault', { what, why: 'Kein Platz.' })).toMatch(/^(?:dein|die|\p{Lu})/u);
      expect(what).not.toMatch(/^(?:den|der|dem) /);
    },
  );
});
