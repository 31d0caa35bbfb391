import { describe, expect, it } from 'vitest';
import { englishText } from '../../language/host-message.ts';
import { say } from '../../language/say.ts';
import { localizeError, setLanguage } from '../../language/texts.ts';
import { relayMessage } from './relay-message.ts';
import { answered, plainError } from './request-error.ts';

describe('Texts of a relay', () => {
  it('are shown in the reader’s language', async () => {
    const body = {
      message: 'ada-1f3a is not a member.',
      said: { key: 'relay.notMember', values: { slug: 'ada-1f3a' } },
    };
    const typed = relayMessage(body.said);
    const error = plainError(answered(404, 'NOT_FOUND', body.message, null, [], typed));
    expect(error.message).toBe('The server refused: ada-1f3a is not a member.');
    await setLanguage('de');
    expect(localizeError(error)).toBe('Der Server lehnte ab: ada-1f3a ist kein Mitglied.');
    await setLanguage('en');
  });

  it('take a noun of the relay as a value', () => {
    const message = say('relay.certTooLarge', { what: say('relay.cert_slug') });
    expect(relayMessage(message)).toEqual(message);
  });

  it('take a text about a field, with its kind', () => {
    const why = say('fields.kind', { kind: say('fields.text') });
    const message = say('fields.ofField', { field: 'slug', why });
    expect(relayMessage(message)).toEqual(message);
    expect(englishText(message)).toBe('slug: It must be a text.');
  });

  it.each([
    ['a text of another area', { key: 'approvals.allowed', values: {} }],
    ['an inherited name', { key: 'relay.constructor' }],
    ['a missing value', { key: 'relay.notMember', values: {} }],
    ['a value that is too long', { key: 'relay.notMember', values: { slug: 'x'.repeat(301) } }],
    [
      'a nested text of another area',
      { key: 'relay.notMember', values: { slug: { key: 'server.notJson' } } },
    ],
    ['no object', 'relay.notMember'],
    ['nothing', undefined],
  ])('are not taken from a server that sends %s (T8)', (_name, raw) => {
    expect(relayMessage(raw)).toBeNull();
  });
});
