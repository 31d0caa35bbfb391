import './style/tokens.css';
import './style/base.css';
import './style/controls.css';
import './style/fields.css';
import './style/cards.css';
import './style/skeleton.css';
import './style/overlays.css';
import './style/status.css';
import './style/frame.css';
import './style/home.css';
import './style/inbox.css';
import './style/steps.css';
import './style/lists.css';
import './style/agents.css';
import './style/agent-page.css';
import './style/agent-tabs.css';
import './style/undo.css';
import './style/usage.css';
import './style/rows.css';
import './style/work.css';
import './style/tasks.css';
import './style/schedules.css';
import './style/workflows.css';
import './style/flow.css';
import './style/gates.css';
import './style/log.css';
import './style/chat.css';
import './style/composer.css';
import './style/people.css';
import './style/spaces.css';
import './style/files.css';
import './style/search.css';
import './style/quick-ask.css';
import './style/settings.css';
import './style/extensions.css';
import './style/server-view.css';
import './style/first-run.css';
import './style/motion.css';
import { StrictMode } from 'react';
import { createRoot } from 'react-dom/client';
import { App } from './app.tsx';
import { bridgeOf } from './client/bridge.ts';
import { openLink } from './client/open-link.ts';
import { prefetchView } from './frame/views.ts';
import { isLone } from './inbox/approval-address.ts';
import { isQuickAsk } from './quick-ask/quick-ask-address.ts';
import { liveInApp } from './state/app-window.ts';
import { followPreferences } from './state/preferences.ts';
import { useRoute } from './state/route.ts';
import { createReplica } from './state/subscriptions.ts';
import { warnAboutUnsavedText } from './state/unsaved-text.ts';

/** No top-level await: lazy chunks import from this module and would wait for it. */
async function openPage(place: HTMLElement): Promise<void> {
  await followPreferences();
  const bridge = bridgeOf(window);
  if (bridge) void liveInApp(bridge);
  else warnAboutUnsavedText();
  const replica = createReplica(await openLink(window));
  createRoot(place).render(
    <StrictMode>
      <App replica={replica} />
    </StrictMode>,
  );
  if (!isLone() && !isQuickAsk()) prefetchView(useRoute.getState().route);
}

const place = document.getElementById('root');
if (place !== null) void openPage(place);
