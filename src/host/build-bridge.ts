import type { Result } from '../contract/result.ts';
import { isConfigured } from '../core/agents/agent-config.ts';
import type { AuditEntry } from '../core/approvals/approval-ports.ts';
import { createPairingFile } from '../services/bridge/pairing-file.ts';
import { createPairingWindow } from '../services/bridge/pairing-window.ts';
import { type Bridge, createBridge } from './bridge/bridge.ts';
import { createPairingNotices } from './bridge/pairing-notices.ts';
import type { BridgeHomeWiring } from './build-bridge-home.ts';
import { demoFile } from './demo/demo-file.ts';
import type { Problems } from './problems.ts';

export interface BridgeWiring extends BridgeHomeWiring {
  readonly problems: Problems;
  note(entry: AuditEntry): Promise<Result<void>>;
}

/** Part of the composition root: the local bridge. */
export function buildBridge(wiring: BridgeWiring): Bridge {
  const { disk, layout, problems, settings, agents, operator } = wiring;
  const { clock, random, log, loadCrypto } = wiring.ports;
  const file = createPairingFile(disk, layout.pairing);
  const window = createPairingWindow(clock, random);
  const notices = createPairingNotices({ problems, clock, log, note: wiring.note });
  return createBridge({
    pairing: { file, window },
    notices,
    settings,
    problems,
    isSetUp() {
      const demo = demoFile({ disk, layout }).read();
      if (!demo.ok || demo.value) return false;
      const record = operator.record();
      if (record.ok && record.value) return true;
      return agents.list().some(({ lastGood }) => lastGood !== null && isConfigured(lastGood));
    },
    async open({ host, port, call, openPort }) {
      const crypto = await loadCrypto();
      if (!crypto.ok) return crypto;
      const [{ bridgeApp }, { buildBridgeHome }, { openBridgeServer }] = await Promise.all([
        import('./bridge/bridge-app.ts'),
        import('./build-bridge-home.ts'),
        import('../services/bridge/bridge-server.ts'),
      ]);
      const app = bridgeApp({
        crypto: crypto.value,
        clock,
        file,
        window,
        noncesFile: layout.bridgeNonces,
        home: buildBridgeHome(wiring, call),
        ports: () => [port, openPort()].filter((one) => one !== null),
        allowedOrigins: () => settings.config().bridge.allowed_origins,
        onPaired: notices.paired,
        onUnpaired: notices.unpaired,
        onTooManyFailures: notices.tooManyFailures,
      });
      return openBridgeServer({ host, port, app, clock, log });
    },
  });
}
