import { describe, expect, it } from 'vitest';
import { answered, noAnswer } from '../../services/puffo/request-error.ts';
import { spaceError } from './space-errors.ts';

const may = 'Only the owner may archive a space or bring it back.';

describe('Space error', () => {
  it.each([
    [403, 'FORBIDDEN', 'no', 'forbidden', may],
    [404, 'NOT_FOUND', 'No one here is called x.', 'not_found', 'No one here is called x.'],
    [409, 'CONFLICT', 'bob is a member already.', 'conflict', 'bob is a member already.'],
    [409, 'CONFLICT', '', 'conflict', 'The server already has this. Nothing was changed.'],
    [400, 'InvalidInput', 'name: Too long', 'invalid_input', 'name: Too long'],
  ])('for %i %s has a readable message', (status, serverCode, text, code, message) => {
    expect(spaceError(answered(status, serverCode, text, null), may)).toMatchObject({ code, message });
  });

  it('names the next step if one exists', () => {
    const archived = spaceError(answered(403, 'SPACE_ARCHIVED', 'This space is archived.', null), may);
    expect(archived).toMatchObject({ code: 'conflict', hint: expect.stringContaining('unarchive') });
    const owner = answered(409, 'CONFLICT', 'The owner cannot leave; hand the space over first.', null);
    expect(spaceError(owner, may).hint).toContain('hand-over');
  });

  it('says that nothing was changed if the server is unreachable or failing', () => {
    const away = spaceError(noAnswer('unavailable', 'The server cannot be reached.'), may);
    expect(away).toMatchObject({ code: 'unavailable', hint: 'Try again when you are connected.' });
    expect(away.message).toBe('The server cannot be reached. Nothing was changed.');
    expect(spaceError(answered(503, 'UNAVAILABLE', 'Its disk is full.', null), may)).toMatchObject({
      code: 'unavailable',
      message: 'The server refused: Its disk is full. Nothing was changed.',
    });
  });
});
