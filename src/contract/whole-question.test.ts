import { describe, expect, it } from 'vitest';
import { englishText } from '../language/host-message.ts';
import type { Approval } from './consent.ts';
import { wholeQuestion } from './whole-question.ts';

const question = (change: Partial<Approval> = {}): Approval =>
  ({
    kind: 'tool',
    agentName: 'Guide',
    title: 'wants to run a command',
    preview: { kind: 'command', body: 'ls -la' },
    where: '/work',
    effects: [{ kind: 'run', argv: ['ls', '-la'], cwd: '/work' }],
    offers: [{ scope: 'once', rule: 'this call, now' }],
    ...change,
  }) as Approval;
const whole = (change: Partial<Approval> = {}): string | null => wholeQuestion(question(change), englishText);

describe('T8: a whole question', () => {
  it('has title, preview, place and targets, each once', () => {
    expect(whole()).toBe('Guide wants to run a command · ls -la · /work');
    const effects: Approval['effects'] = [{ kind: 'write', path: '/etc/hosts' }];
    expect(whole({ effects })).toBe('Guide wants to run a command · ls -la · /work · /etc/hosts');
  });

  it('shows hidden characters by name', () => {
    expect(whole({ where: '/w\u202eork' })).toContain('/w[U+202E]ork');
  });

  it.each([
    ['that is too long', { where: `/${'x'.repeat(200)}` }],
    ['with a target that does not fit', { effects: [{ kind: 'write', path: `/${'y'.repeat(200)}` }] }],
    ['of several lines', { preview: { kind: 'diff', body: '+a\n+b' } }],
    ['with a cut preview', { preview: { kind: 'text', body: 'ls', cut: true } }],
    ['with characters that a desktop reads as markup', { preview: { kind: 'command', body: 'ls > a' } }],
    ['that cannot be allowed once', { offers: [] }],
    ['about a person', { kind: 'contact' }],
    ['of a workflow', { gate: { kind: 'approval' } as never }],
  ] as [string, Partial<Approval>][])('%s is none', (_what, change) => {
    expect(whole(change)).toBeNull();
  });
});
