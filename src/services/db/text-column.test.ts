import { describe, expect, it } from 'vitest';
import { StoreError } from '../../core/lib/store-error.ts';
import type { HostText } from '../../language/host-message.ts';
import { say } from '../../language/say.ts';
import { packText, unpackText } from './text-column.ts';

const back = (text: HostText): HostText => unpackText({ said: packText(text) }, 'said');

describe('A text column', () => {
  it('returns what was stored', () => {
    const message = say('approvals.wantsTo', { action: say('actions.writeFile', { path: 'notes/a.md' }) });
    for (const text of ['', 'plain', '{"key":"a","text":"b"}', message]) expect(back(text)).toEqual(text);
  });

  it('reads rows of older versions as plain text', () => {
    expect(unpackText({ said: 'It was denied.' }, 'said')).toBe('It was denied.');
  });

  it('takes no plain text for a message (T21)', () => {
    const forged = packText(say('approvals.lowRisk'));
    expect(back(forged)).toBe(forged);
  });

  it('reports a damaged message', () => {
    expect(() => unpackText({ said: '\u0001{"key":' }, 'said')).toThrow(StoreError);
    expect(() => unpackText({ said: '\u0001{"key":"a"}' }, 'said')).toThrow(StoreError);
  });
});
