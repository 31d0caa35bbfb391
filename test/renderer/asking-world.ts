/** A busy host whose agents request approvals, work, hit the brake and spend money. */
import { approval, command, decided, grants, step } from './ask-data.ts';
import { busyAgents, conversation, now } from './fake-data.ts';
import type { World } from './fake-host.ts';
import { auditLines, busyUsage } from './work-data.ts';

const minute = 60_000;

const talk = () =>
  conversation().map((message) =>
    message.id === 'msg_a3'
      ? {
          ...message,
          steps: [
            step('c1', { tool: 'read_file', title: 'read notes/picnic.md, 40 lines' }),
            step('c2'),
            step('c3', { state: 'failed', tool: 'bash_exec', title: 'grep -n rain forecast.txt' }),
            step('c4', { state: 'denied', title: 'write /etc/motd', endedAt: null }),
          ],
        }
      : message,
  );

const spentToday = { tokens: 12_400, usd: 0.084, unpriced: 0, simulated: true };
const agents = busyAgents();

export const asking: World = {
  agents: {
    ...agents,
    guide: { ...agents.guide!, dot: 'needs_you', activity: 'waits for your answer', waiting: 1, spentToday },
    scribe: {
      ...agents.scribe!,
      waiting: 2,
      spentToday: { tokens: 40_100, usd: null, unpriced: 40_100, simulated: false },
    },
  },
  messages: talk(),
  approvals: [
    approval('ap1'),
    command('ap2', 'rm -r "notes/old\u202etxt.exe" archive/2023'),
    command('ap3', 'cp minutes.md /srv/www/minutes.md', {
      title: 'wants to copy minutes.md',
      sandbox: 'none',
      quietUntil: now + 50 * minute,
    }),
  ],
  decided: decided(),
  grants: grants(),
  host: {
    spentToday,
    brakes: [
      {
        agentId: 'checker',
        roomId: 'ch_general',
        rootId: 'msg_q1',
        turns: 12,
        why: 'Guide and Checker have answered each other twelve times without you.',
        at: now - 2 * minute,
      },
    ],
  },
  fill: ({ work, consent }) => {
    work.usage = busyUsage();
    consent.audit = auditLines();
    work.write('people', '# People\n\n- **Ada** likes tea.\n- Kit is away until Monday.', 'agent');
    work.write('project', '# The picnic\n\nFriday, behind the office.', 'operator');
    work.tokens = [{ name: 'kitchen', createdAt: now - 24 * 60 * minute }];
  },
};
