import { describe, expect, it } from 'vitest';
import { agentConfigSchema } from './agent-config.ts';
import { onlyPlans, policyModeOf } from './permission-mode.ts';

const config = (permission_mode: string, kind = 'cli-local', mode = 'ask') =>
  agentConfigSchema().parse({ runtime: { kind, permission_mode }, policy: { mode } });

describe('Permission mode of an agent program', () => {
  it.each([
    ['bypassPermissions', 'ask', 'ask'],
    ['default', 'ask', 'ask'],
    ['acceptEdits', 'ask', 'trusted_folders'],
    ['acceptEdits', 'unattended', 'unattended'],
    ['dontAsk', 'ask', 'unattended'],
    ['plan', 'trusted_folders', 'trusted_folders'],
  ])('%s in the mode %s works in the mode %s', (given, mode, expected) => {
    expect(policyModeOf(config(given, 'sdk-local', mode))).toBe(expected);
  });

  it('plan lets a program only read, and nothing changes for agents that call a model', () => {
    expect(onlyPlans(config('plan'))).toBe(true);
    expect(onlyPlans(config('default'))).toBe(false);
    expect(onlyPlans(config('plan', 'chat-local'))).toBe(false);
    expect(policyModeOf(config('dontAsk', 'chat-local'))).toBe('ask');
  });
});
