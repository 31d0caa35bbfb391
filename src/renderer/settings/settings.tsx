import { AboutCard } from './about-card.tsx';
import { DemoCard } from './demo-card.tsx';
import { LookCard } from './look-card.tsx';
import { ModelsCard } from './models-card.tsx';
import { VaultCard } from './vault-card.tsx';

export function Settings() {
  return (
    <div className="page settings">
      <header className="page-head">
        <h1>Settings</h1>
      </header>
      <div className="settings-stack">
        <LookCard />
        <ModelsCard />
        <VaultCard />
        <DemoCard />
        <AboutCard />
      </div>
    </div>
  );
}
