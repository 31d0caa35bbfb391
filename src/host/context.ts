import type { Result } from '../contract/result.ts';
import type { DiskPort } from '../core/ports.ts';
import type { AgentStore } from '../services/agent-store/agent-types.ts';
import type { DaemonSettings } from '../services/config/daemon-settings.ts';
import type { RegisterAgent } from './agents/register-agent.ts';
import type { Approvals } from './approvals/approvals.ts';
import type { Auth } from './auth/auth.ts';
import type { Bridge } from './bridge/bridge.ts';
import type { Chat } from './chat/chat.ts';
import type { Contacts } from './contacts/contacts.ts';
import type { DataService } from './data-service/data-service.ts';
import type { EmbeddedRelay } from './embedded-relay.ts';
import type { Fleet } from './fleet/fleet.ts';
import type { ModelAccess } from './fleet/model-access.ts';
import type { HostPorts } from './host-ports.ts';
import type { IdentityParts } from './identity/identity.ts';
import type { Layout } from './layout.ts';
import type { McpAccess } from './mcp/mcp-access.ts';
import type { OpenParts, Operator } from './operator.ts';
import type { Problems } from './problems.ts';
import type { StreamProxy } from './proxy/proxy.ts';
import type { Schedules } from './schedules/schedules.ts';
import type { Secrets } from './secrets.ts';
import type { AcceptOwnInviteDeps } from './spaces/accept-own-invite.ts';
import type { ReceivedInvites } from './spaces/received-invites.ts';
import type { Tasks } from './tasks/tasks.ts';
import type { UsageService } from './usage/usage.ts';
import type { LiveWork } from './work/live-work.ts';
import type { Logs } from './work/logs.ts';
import type { WorkflowFiles } from './workflows/workflow-files.ts';
import type { Workflows } from './workflows/workflows.ts';

/** The parts of one host, built once in `createHost`. */
export interface HostContext {
  readonly ports: HostPorts;
  readonly layout: Layout;
  readonly disk: DiskPort;
  readonly problems: Problems;
  readonly secrets: Secrets;
  readonly settings: DaemonSettings;
  readonly auth: Auth;
  readonly proxy: StreamProxy;
  readonly bridge: Bridge;
  readonly data: DataService;
  readonly mcp: McpAccess;
  readonly relay: EmbeddedRelay;
  readonly operator: Operator;
  readonly agents: AgentStore;
  readonly models: ModelAccess;
  readonly fleet: Fleet;
  readonly chat: Chat;
  readonly invites: ReceivedInvites;
  readonly ownInvites: AcceptOwnInviteDeps;
  readonly approvals: Approvals;
  readonly usage: UsageService;
  readonly tasks: Tasks;
  readonly schedules: Schedules;
  readonly identity: IdentityParts;
  readonly contacts: Contacts;
  readonly work: LiveWork;
  readonly logs: Logs;
  readonly workflows: Workflows;
  readonly registerAgent: RegisterAgent;
  readonly workflowFiles: () => Promise<WorkflowFiles>;
  /** The parts that depend on the vault; an error while it is closed. */
  openParts(): Promise<Result<OpenParts>>;
  /** Call it after a change of something that `host.view` shows. */
  viewChanged(): void;
}
