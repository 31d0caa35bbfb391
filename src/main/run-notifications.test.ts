import { describe, expect, it } from 'vitest';
import { run } from '../../test/renderer/run-data.ts';
import type { RunSummary, RunsView } from '../contract/workflow-methods.ts';
import { announceOnDesktop } from './notification-text.ts';
import { runsEnded } from './run-notifications.ts';

const view = (...runs: RunSummary[]): RunsView => ({
  runs: Object.fromEntries(runs.map((one) => [one.id, one])),
});
const going = run('run-1', { status: 'running', endedAt: null, initiatedBy: 'operator', name: 'Nightly' });
const { createdAt } = going;
const since = createdAt + 1;
const done: RunSummary = { ...going, status: 'ok', endedAt: createdAt + 60_000 };
const failed: RunSummary = { ...done, status: 'failed', message: 'The secret step ended with 1.' };

const everything = { approvals: true, finished: true, failed: true, mentioned: true };

describe('Run notifications', () => {
  it('name the workflow and its end status and link to the run', () => {
    for (const [after, title] of [
      [done, 'Workflow Nightly is done'],
      [failed, 'Workflow Nightly failed'],
    ] as const) {
      const [said] = announceOnDesktop(runsEnded(view(going), view(after), since), {
        notify: everything,
        notifyText: false,
      });
      expect(said).toMatchObject({ title, route: '#/work/run%3Arun-1', answer: null });
      expect(JSON.stringify(said)).not.toContain('secret');
    }
  });

  it('contain the reason only if notification text is allowed', () => {
    const [said] = announceOnDesktop(runsEnded(view(going), view(failed), since), {
      notify: everything,
      notifyText: true,
    });
    expect(said?.body).toBe('The secret step ended with 1.');
  });

  it('include a run that ended before it was first seen', () => {
    expect(runsEnded(view(), view(failed), createdAt)).toMatchObject([{ kind: 'failed' }]);
  });

  it('skip old, unchanged, agent-started, cancelled and very short runs', () => {
    expect(runsEnded(null, view(failed), since)).toEqual([]);
    expect(runsEnded(view(), view(failed), since)).toEqual([]);
    expect(runsEnded(view(failed), view(failed), since)).toEqual([]);
    expect(runsEnded(view(going), view({ ...failed, initiatedBy: 'guide' }), since)).toEqual([]);
    expect(runsEnded(view(going), view({ ...failed, status: 'cancelled' }), since)).toEqual([]);
    expect(runsEnded(view(going), view({ ...done, endedAt: createdAt + 500 }), since)).toEqual([]);
  });
});
