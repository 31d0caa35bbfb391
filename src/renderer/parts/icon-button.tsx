import { Icon, type IconName } from '../mark/icon.tsx';

interface ButtonOf {
  readonly icon: IconName;
  readonly label: string;
  /** Tooltip; the label by default. */
  readonly title?: string;
  readonly size?: number;
  onPress(): void;
}

export function IconButton({ icon, label, title = label, size = 16, onPress }: ButtonOf) {
  return (
    <button type="button" className="icon-button" aria-label={label} title={title} onClick={onPress}>
      <Icon name={icon} size={size} />
    </button>
  );
}
