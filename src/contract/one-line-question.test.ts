import { describe, expect, it } from 'vitest';
import { englishText } from '../language/host-message.ts';
import { shellEffects } from '../services/tools/shell/shell-assessment.ts';
import type { Approval } from './approvals.ts';
import { wholeQuestion } from './one-line-question.ts';

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
    expect(whole({ effects })).toBe('Guide wants to run a command · ls -la · /work · writes /etc/hosts');
  });

  it('is offered only if it fits in English, too, which the host measures', () => {
    const short = (text: Approval['title']): string =>
      englishText(text).startsWith('wants') ? 'ls' : englishText(text);
    const title = `wants to ${'list '.repeat(12)}files`;
    expect(wholeQuestion(question({ title }), short)).toBeNull();
    expect(wholeQuestion(question(), short)).toBe('Guide ls · ls -la · /work');
    expect(wholeQuestion(question(), (text) => `${englishText(text)} ${'lang '.repeat(12)}`)).toBeNull();
  });

  it('keeps each target that the text of the agent contains', () => {
    const body = 'rm /work/a /etc';
    const effects: Approval['effects'] = [
      { kind: 'run', argv: ['rm', '/work/a', '/etc'], cwd: '/work', sandbox: 'none' },
      { kind: 'delete', path: '/etc' },
    ];
    expect(whole({ preview: { kind: 'command', body }, effects })).toBe(
      'Guide wants to run a command · rm /work/a /etc · /work · deletes /etc',
    );
    expect(
      whole({ effects: [{ kind: 'run', argv: ['sh', '-c', 'ls'], cwd: '/', sandbox: 'none' }] }),
    ).toMatch(/ · runs sh -c ls$/);
  });

  it.each([
    [false, 'Guide runs this · tar czf b.tgz * · /home/ada/p/sub · writes /home/ada'],
    [true, null],
  ])('names each folder that a shell may write; with network %s', (network, expected) => {
    const line = 'tar czf b.tgz *';
    const cwd = '/home/ada/p/sub';
    const roots = { cwd, readable: [], writable: ['/home/ada'] };
    const effects = shellEffects({ line, cwd, sandbox: 'bubblewrap', network, roots });
    expect(whole({ title: 'runs this', preview: { kind: 'command', body: line }, where: cwd, effects })).toBe(
      expected,
    );
  });

  it('has at most 80 columns, and a wide character takes two', () => {
    const fits = (where: string): boolean => whole({ where }) !== null;
    const left = 80 - (whole({ where: '' })?.length ?? 0) - ' · '.length;
    expect([fits('x'.repeat(left)), fits('x'.repeat(left + 1))]).toEqual([true, false]);
    expect([fits('漢'.repeat(left / 2)), fits('漢'.repeat(left / 2 + 1))]).toEqual([true, false]);
  });

  it('shows hidden characters by name', () => {
    expect(whole({ where: '/w\u202eork' })).toContain('/w[U+202E]ork');
  });

  it.each([
    ['that is too long', { where: `/${'x'.repeat(40)}` }],
    ['with a target that does not fit', { effects: [{ kind: 'write', path: `/${'y'.repeat(40)}` }] }],
    ['of wide characters that do not fit', { where: `/${'漢'.repeat(20)}` }],
    ['with right-to-left letters', { where: '/שלום' }],
    ['with Arabic letters', { preview: { kind: 'command', body: 'ls مرحبا' } }],
    ['that uses the network', { effects: [{ kind: 'network', host: 'a' }] }],
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
