import { describe, expect, it } from 'vitest';
import { run } from '../../test/renderer/run-data.ts';
import type { RunSummary, RunsView } from '../contract/workflow-methods.ts';
import { announce } from './announce.ts';
import { runsEnded } from './run-happenings.ts';

const view = (...runs: RunSummary[]): RunsView => ({
  runs: Object.fromEntries(runs.map((one) => [one.id, one])),
});
const going = run('run-1', { status: 'running', endedAt: null, initiatedBy: 'operator', name: 'Nightly' });
const { createdAt } = going;
const since = createdAt + 1;
const done: RunSummary = { ...going, status: 'ok', endedAt: createdAt + 60_000 };
const failed: RunSummary = { ...done, status: 'failed', message: 'The secret step ended with 1.' };

const everything = { approvals: true, finished: true, failed: true, mentioned: true };

describe('what is told of runs', () => {
  it('is that one is done or failed, by the name of its workflow, and where it stands', () => {
    for (const [after, title] of [
      [done, 'Workflow Nightly is done'],
      [failed, 'Workflow Nightly failed'],
    ] as const) {
      const [said] = announce(runsEnded(view(going), view(after), since), {
        notify: everything,
        notifyText: false,
      });
      expect(said).toMatchObject({ title, route: '#/work/run%3Arun-1', deny: null });
      expect(JSON.stringify(said)).not.toContain('secret');
    }
  });

  it('has the reason only where that is allowed', () => {
    const [said] = announce(runsEnded(view(going), view(failed), since), {
      notify: everything,
      notifyText: true,
    });
    expect(said?.body).toBe('The secret step ended with 1.');
  });

  it('is also the end of one that was over before it was seen', () => {
    expect(runsEnded(view(), view(failed), createdAt)).toMatchObject([{ kind: 'failed' }]);
  });

  it('is nothing of old ones, of what was so before, of agents’ own, of cancelled and of short ones', () => {
    expect(runsEnded(null, view(failed), since)).toEqual([]);
    expect(runsEnded(view(), view(failed), since)).toEqual([]);
    expect(runsEnded(view(failed), view(failed), since)).toEqual([]);
    expect(runsEnded(view(going), view({ ...failed, initiatedBy: 'guide' }), since)).toEqual([]);
    expect(runsEnded(view(going), view({ ...failed, status: 'cancelled' }), since)).toEqual([]);
    expect(runsEnded(view(going), view({ ...done, endedAt: createdAt + 500 }), since)).toEqual([]);
  });
});
