// A workflow inside your own program: it waits for an approval and can resume in another process.
import { mkdtempSync } from 'node:fs';
import { resumeWorkflow, runWorkflow } from 'kennel/puppy';

const workflow = {
  args: { name: { type: 'string', default: 'world' } },
  steps: [
    { id: 'draft', run: 'echo "Hello, $PUPPY_ARG_NAME"' },
    { id: 'ask', approval: { prompt: 'Send it?', preview: '$draft.stdout' } },
    { id: 'send', run: 'cat', stdin: '$draft.stdout' },
  ],
};
const stateDir = process.env.PUPPY_STATE_DIR ?? mkdtempSync('/tmp/workflow-');

const asked = await runWorkflow(workflow, { stateDir, args: { name: 'Ann' } });
if (!asked.ok) throw new Error(asked.error.message);
console.log(asked.status, asked.requiresApproval?.preview);
// Store the token and request the approval; the answer may come a week later.
const token = asked.requiresApproval?.resumeToken ?? '';
const done = await resumeWorkflow({ token, approve: true, approvedBy: 'ann' }, { stateDir });
console.log(done.ok ? done.output : done.error.message);
