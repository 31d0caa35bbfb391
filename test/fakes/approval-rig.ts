/** An approval centre over an in-memory store, with a recorded audit log and sample calls. */
import type { Approval } from '../../src/contract/approvals.ts';
import { textError } from '../../src/contract/errors.ts';
import { err, ok } from '../../src/contract/result.ts';
import { ApprovalCentre } from '../../src/core/approvals/approval-centre.ts';
import type { GateCall } from '../../src/core/approvals/approval-gate.ts';
import type { ApprovalRow, AuditEntry } from '../../src/core/approvals/approval-ports.ts';
import { type Answerer, unanswerable } from '../../src/core/approvals/outside-question.ts';
import { toBase64Url, toHex } from '../../src/core/lib/bytes.ts';
import type { AgentPolicy } from '../../src/core/policy/policy-call.ts';
import { createMemoryConsentStore, type MemoryConsentStore } from './memory-consent-store.ts';
import { samplePolicy } from './policy-samples.ts';
import { createRecordingLog } from './recording-log.ts';
import { createSeededRandom } from './seeded-random.ts';
import { testCrypto } from './test-crypto.ts';
import { createVirtualClock, type VirtualClock } from './virtual-clock.ts';

export const engine = testCrypto;

export interface ApprovalRig {
  readonly clock: VirtualClock;
  readonly store: MemoryConsentStore;
  readonly audit: AuditEntry[];
  readonly asked: ApprovalRow[];
  /** Each published change, and whether the store already contained it. */
  readonly told: { readonly approval: Approval; readonly stored: boolean }[];
  centre: ApprovalCentre;
  policy: AgentPolicy;
  auditFails: boolean;
  answerer: Answerer | null;
  listener: ((approval: Approval) => void) | null;
  /** Simulates a restart after a kill: another centre over the same store. */
  restart(): void;
}

let made = 0;

export function createApprovalRig(): ApprovalRig {
  const clock = createVirtualClock();
  const store = createMemoryConsentStore();
  const pair = engine.ed25519KeyPair();
  let life = 0;
  const rig: Omit<ApprovalRig, 'centre'> & { centre?: ApprovalCentre } = {
    clock,
    store,
    audit: [],
    asked: [],
    told: [],
    policy: samplePolicy(),
    auditFails: false,
    answerer: null,
    listener: null,
    restart() {
      made += 1;
      life += 1;
      const mine = life;
      // timers of a killed centre do not fire, and it publishes nothing
      const lives = () => life === mine;
      rig.centre = new ApprovalCentre({
        records: {
          store,
          audit: {
            append: async (entry) => {
              if (rig.auditFails) return err(textError('disk_full', 'full'));
              rig.audit.push(entry);
              return ok(undefined);
            },
          },
          signer: {
            publicKey: toBase64Url(pair.public),
            sha256: (bytes) => toHex(engine.sha256(bytes)),
            sign: (bytes) => toBase64Url(engine.ed25519Sign(bytes, pair.secret)),
          },
        },
        clock: {
          ...clock,
          after: (ms, run, options) => clock.after(ms, () => (lives() ? run() : undefined), options),
        },
        random: createSeededRandom(made),
        log: createRecordingLog(),
        rules: {
          facts: ({ agentId }) =>
            agentId === 'gone' ? null : { name: 'Guide', policy: rig.policy, room: null },
          lifeMs: () => 24 * 3_600_000,
          answerer: (approval, answer) => rig.answerer?.(approval, answer) ?? err(unanswerable),
        },
        events: {
          onChanged: (approval) => {
            const stored = JSON.stringify(store.row(approval.id)?.approval) === JSON.stringify(approval);
            rig.told.push({ approval, stored });
            rig.listener?.(approval);
          },
          onAsked: (row) => rig.asked.push(row),
        },
      });
    },
  };
  rig.restart();
  return rig as ApprovalRig;
}

export const gateCall = (change: Partial<GateCall> = {}): GateCall => ({
  agentId: 'guide',
  turnId: 'turn_1',
  threadKey: 'ch|ch_1|msg_1',
  callId: 'call_1',
  tool: 'write_file',
  group: 'files',
  args: { path: 'notes/hello.md', content: 'hello' },
  assessment: {
    risk: 'medium',
    effects: [{ kind: 'write', path: '/home/me/.kennel/agents/guide/workspace/notes/hello.md' }],
    preview: { kind: 'diff', title: 'write notes/hello.md', body: '+hello', where: 'workspace' },
  },
  justification: '',
  tainted: false,
  ...change,
});

export const neverAborted = new AbortController().signal;
