import { afterEach, beforeEach, expect, it } from 'vitest';
import { proof, seed } from '../fakes/test-run.ts';
import { Desk } from './desk.ts';
import { fakeAgents, ProgramStorm, realAgents } from './program-storm.ts';

/** Together 200 in a proof run. */
const [kills, realKills] = proof ? [120, 80] : [5, 0];

let desk: Desk;
beforeEach(async () => {
  desk = await Desk.open();
});
afterEach(() => desk.remove());

const linux = process.platform === 'linux';

async function runStorm(
  rounds: number,
  {
    agents,
    programs = {},
  }: {
    readonly agents: Awaited<ReturnType<typeof fakeAgents>>['agents'];
    readonly programs?: Readonly<Record<string, string>>;
  },
): Promise<void> {
  const storm = new ProgramStorm(desk, agents, seed);
  try {
    await storm.start(programs);
    for (let round = 0; round < rounds; round += 1) await storm.round(round);
    await storm.end();
    expect(storm.figures.messages).toBe(rounds * agents.length);
  } finally {
    if (proof) console.log(`storm, seed ${seed}: ${JSON.stringify(storm.figures)}`);
  }
}

it.skipIf(!linux)(
  `F1 F2: ${kills} SIGKILLs of host, programs and their children: one answer each, no orphan (seed ${seed})`,
  { timeout: 60_000 + kills * 30_000 },
  async () => {
    const fakes = await fakeAgents();
    await runStorm(kills, fakes).finally(fakes.end);
  },
);

it.skipIf(!linux || !proof)(
  `F1 F2: ${realKills} SIGKILLs with the real Claude Code and Gemini CLI (seed ${seed})`,
  { timeout: 600_000 + realKills * 60_000 },
  async ({ skip }) => {
    const real = await realAgents();
    if ('skipped' in real) return skip(`SKIPPED: ${real.skipped}`);
    await runStorm(realKills, real).finally(real.end);
  },
);
