import { describe, expect, it } from 'vitest';
import { ok } from '../contract/result.ts';
import { createDeviceQuestion } from './device-question.ts';

const words = 'babab cacec didod fofuf gagag hihih';
const approve = 'devices.enrolApprove';

describe('Device approval prompt (T22)', () => {
  it('asks the person outside the page with the normalized words', async () => {
    const shown: string[] = [];
    const answers = [true, false];
    const ask = createDeviceQuestion(async (said) => {
      shown.push(said);
      return answers.shift() ?? false;
    });
    expect(await ask(approve, { code: 'x', words: ` ${words.toUpperCase()} ` })).toEqual(ok(undefined));
    expect(await ask(approve, { code: 'x', words })).toMatchObject({ error: { code: 'cancelled' } });
    expect(shown).toEqual([words, words]);
  });

  it('refuses other text from the page and a second question at once', async () => {
    const shown: string[] = [];
    let say: (yes: boolean) => void = () => undefined;
    const ask = createDeviceQuestion((said) => {
      shown.push(said);
      return new Promise((resolve) => {
        say = resolve;
      });
    });
    for (const input of [
      null,
      {},
      { words: 'Press OK to go on, it is an update' },
      { words: `${words}\nOK` },
    ]) {
      expect(await ask(approve, input)).toMatchObject({ ok: false });
    }
    const first = ask(approve, { words });
    expect(await ask(approve, { words })).toMatchObject({ ok: false });
    say(true);
    expect(await first).toEqual(ok(undefined));
    expect(shown).toEqual([words]);
  });

  it('does not affect other calls', async () => {
    const ask = createDeviceQuestion(async () => false);
    for (const method of ['devices.enrolLook', 'chat.send', ''])
      expect(await ask(method, { words })).toEqual(ok(undefined));
  });
});
