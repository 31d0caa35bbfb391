import { expect, it } from 'vitest';
import type { GateState } from '../../core/workflows/engine/run-state.ts';
import { type AskedIn, fileFrom, questionOf } from './gate-text.ts';

it.each([
  ['beside where the run works', '/home/me/flows', '/home/me/flows/ship.puppy', 'ship.puppy'],
  ['below it', '/home/ada/site', '/home/ada/site/flows/ship.puppy', 'flows/ship.puppy'],
  ['elsewhere', '/home/me/flows', '/opt/kennel/hello.puppy', '/opt/kennel/hello.puppy'],
  [
    'beside a folder of a like name',
    '/home/ada/site',
    '/home/ada/site-2/ship.puppy',
    '/home/ada/site-2/ship.puppy',
  ],
  ['in a folder that begins with dots', '/home/ada', '/home/ada/..old/ship.puppy', '..old/ship.puppy'],
])('A gate shows a findable path for a file %s', (_where, cwd, file, named) => {
  expect(fileFrom(cwd, file)).toBe(named);
});

it('T8, T14: The question shows the name and folder that its content hash covers', () => {
  const gate: GateState = {
    id: 'g',
    path: 'ask',
    slot: '',
    contentHash: 'hash',
    expiresAt: null,
    remindAt: null,
    reminded: false,
    votes: [],
    ownerAgreed: false,
    decision: null,
    by: null,
    response: null,
    reason: '',
    content: {
      kind: 'approval',
      prompt: 'Ship?',
      items: [],
      preview: null,
      schema: null,
      defaults: null,
      subject: null,
      approvers: { named: [], needed: 1, notInitiator: false },
      workflow: { name: null, cwd: '/home/ada/site', file: '/home/ada/site/deploy.puppy' },
    },
  };
  const asked: AskedIn = {
    run: 'r',
    runName: 'look around',
    definition: 'd',
    starter: 'you',
    agent: null,
    room: null,
    origin: { cwd: '/tmp', file: null },
    askedAt: 1,
  };
  const { approval } = questionOf(asked, gate);
  expect(approval).toMatchObject({ subject: 'deploy.puppy', where: 'deploy.puppy in /home/ada/site' });
  expect(approval.gate?.runName).toBe('deploy.puppy');
  expect(approval.agentName).toBe('deploy.puppy');
  const { workflow: _, ...earlier } = gate.content;
  const old = questionOf(asked, { ...gate, content: earlier }).approval;
  expect(old).toMatchObject({ subject: 'look around', where: '/tmp' });
});
