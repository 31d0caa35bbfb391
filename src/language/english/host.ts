import { actions, actionsDone, actionsRunning } from './host/actions.ts';
import { agentd } from './host/agentd.ts';
import { agents } from './host/agents.ts';
import { approvals } from './host/approvals.ts';
import { chat } from './host/chat.ts';
import { contacts } from './host/contacts.ts';
import { container } from './host/container.ts';
import { doctor } from './host/doctor.ts';
import { executors } from './host/executors.ts';
import { fields } from './host/fields.ts';
import { harness } from './host/harness.ts';
import { host } from './host/host.ts';
import { identity } from './host/identity.ts';
import { logins } from './host/logins.ts';
import { mcpClient } from './host/mcp-client.ts';
import { mcpServers } from './host/mcp-servers.ts';
import { modelRelay } from './host/model-relay.ts';
import { models } from './host/models.ts';
import { moving } from './host/moving.ts';
import { people } from './host/people.ts';
import { pipelines } from './host/pipelines.ts';
import { programs } from './host/programs.ts';
import { proxy } from './host/proxy.ts';
import { relay } from './host/relay.ts';
import { schedules } from './host/schedules.ts';
import { secrets } from './host/secrets.ts';
import { server } from './host/server.ts';
import { settings } from './host/settings.ts';
import { skills } from './host/skills.ts';
import { spaces } from './host/spaces.ts';
import { steps } from './host/steps.ts';
import { storage } from './host/storage.ts';
import { taskLists } from './host/task-lists.ts';
import { tasks } from './host/tasks.ts';
import { tools } from './host/tools.ts';
import { turns } from './host/turns.ts';
import { undo } from './host/undo.ts';
import { usage } from './host/usage.ts';
import { why } from './host/why.ts';
import { workflowFiles } from './host/workflow-files.ts';
import { workflows } from './host/workflows.ts';
import { worktrees } from './host/worktrees.ts';

/** English texts of the host by area. Slots are those of `host-message.ts`. */
export const hostEnglish = {
  doctor,
  why,
  steps,
  actions,
  actionsDone,
  actionsRunning,
  agentd,
  agents,
  approvals,
  chat,
  contacts,
  container,
  executors,
  harness,
  fields,
  host,
  identity,
  logins,
  mcpClient,
  mcpServers,
  modelRelay,
  models,
  moving,
  people,
  pipelines,
  programs,
  proxy,
  relay,
  schedules,
  secrets,
  server,
  settings,
  skills,
  spaces,
  storage,
  taskLists,
  tasks,
  tools,
  turns,
  undo,
  usage,
  workflowFiles,
  workflows,
  worktrees,
} as const;
