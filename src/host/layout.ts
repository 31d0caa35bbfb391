import { join } from 'node:path';

/** Registry name of the embedded relay; other servers are named by their address. */
export const embeddedName = 'embedded';

export function layoutOf(home: string) {
  return {
    home,
    logs: join(home, 'logs'),
    log: join(home, 'logs', 'host.log'),
    socket: join(home, 'host.sock'),
    operator: join(home, 'operator'),
    operatorFile: join(home, 'operator', 'operator.json'),
    operatorKeys: join(home, 'operator', 'keys'),
    signUpDraft: join(home, 'operator', 'keys', 'pending-sign-up.json'),
    deviceDraft: join(home, 'operator', 'keys', 'pending-device.json'),
    retiredAgents: join(home, 'operator', 'retired-agents.json'),
    ownPendingProfile: join(home, 'operator', 'pending-profile.json'),
    ownPendingPicture: join(home, 'operator', 'pending-picture.json'),
    operatorStore: join(home, 'operator', 'messages.db'),
    operatorOutgoing: join(home, 'operator', 'outgoing'),
    operatorFiles: join(home, 'operator', 'files'),
    demoFile: join(home, 'demo.json'),
    relay: join(home, 'relay'),
    relayStore: join(home, 'relay', 'relay.db'),
    relayFile: join(home, 'relay', 'relay.json'),
    registry: join(home, 'registry'),
    hostStore: join(home, 'host.db'),
    workflowStore: join(home, 'workflows.db'),
    workflows: join(home, 'workflows'),
    taskStore: join(home, 'tasks.db'),
    restoreStore: join(home, 'restore.db'),
    audit: join(home, 'audit'),
    agents: join(home, 'agents'),
    archived: join(home, 'archived'),
    apiKeys: join(home, 'secrets.json'),
    proxyFile: join(home, 'proxy.json'),
    processLedger: join(home, 'processes.json'),
    planPauses: join(home, 'pauses.json'),
    harnessCanaries: join(home, 'runtimes.json'),
    modelSockets: join(home, 'model-sockets'),
    containers: join(home, 'containers'),
    dataSocket: join(home, 'data.sock'),
    mcpSocket: join(home, 'mcp.sock'),
    windowLock: join(home, 'window-lock.json'),
    pairing: join(home, 'pairing.json'),
    bridgeNonces: join(home, 'bridge.nonces'),
    transfers: join(home, 'transfers'),
    agentKeys: (id: string) => join(home, 'agents', id, 'keys'),
    agentDraft: (id: string) => join(home, 'agents', id, 'keys', 'pending-registration.json'),
    pendingProfile: (id: string) => join(home, 'agents', id, 'pending-profile.json'),
    pendingPicture: (id: string) => join(home, 'agents', id, 'pending-picture.json'),
    agentOutgoing: (id: string) => join(home, 'agents', id, 'outgoing'),
    agentStore: (id: string) => join(home, 'agents', id, 'messages.db'),
  } as const;
}

export type Layout = ReturnType<typeof layoutOf>;
