import { AboutCard } from './about-card.tsx';
import { AuditCard } from './audit-card.tsx';
import { ContactsCard } from './contacts-card.tsx';
import { DemoCard } from './demo-card.tsx';
import { DevicesCard } from './devices-card.tsx';
import { LoginsCard } from './logins-card.tsx';
import { LookCard } from './look-card.tsx';
import { ModelsCard } from './models-card.tsx';
import { ProxyCard } from './proxy-card.tsx';
import { SpendingCard } from './spending-card.tsx';
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
        <LoginsCard />
        <SpendingCard />
        <VaultCard />
        <DevicesCard />
        <ContactsCard />
        <ProxyCard />
        <AuditCard />
        <DemoCard />
        <AboutCard />
      </div>
    </div>
  );
}
