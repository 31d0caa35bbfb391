import { describe, expect, it } from 'vitest';
import { harnessFacts, harnessIds, lacksLogin, usesLogin } from './harnesses.ts';

describe('Login of an agent program', () => {
  it('pays only for Claude Code and its SDK; the others use a model of Kennel, whatever login they have', () => {
    const withLogin = (login: 'yes' | 'no') =>
      harnessIds.map((id) => ({ id, login, protocol: harnessFacts(id).protocol }));
    const own = ['claude-code', 'claude-agent-sdk'];
    expect(
      withLogin('yes')
        .filter(usesLogin)
        .map(({ id }) => id),
    ).toEqual(own);
    expect(
      withLogin('no')
        .filter(lacksLogin)
        .map(({ id }) => id),
    ).toEqual(own);
  });
});
