#!/usr/bin/env bash
# Runs a command in a temporary desktop: X server, session bus, unlocked keyring, window manager, tray,
# notifications. Its home and runtime folders are temporary, too; all of it ends with the command.
set -euo pipefail
place=$(mktemp -d)
trap 'rm -rf "$place"' EXIT
mkdir -m 700 "$place/home" "$place/run"
export HOME=$place/home XDG_RUNTIME_DIR=$place/run XDG_CONFIG_HOME=$place/home/.config XDG_CACHE_HOME=$place/home/.cache
unset WAYLAND_DISPLAY DISPLAY DBUS_SESSION_BUS_ADDRESS
# No exec, because the trap must run.
xvfb-run -a -s '-screen 0 1400x900x24' dbus-run-session -- bash -c '
  printf testpw | gnome-keyring-daemon --unlock --components=secrets >/dev/null 2>&1
  openbox >/dev/null 2>&1 & wm=$!
  dunst >/dev/null 2>&1 & notes=$!
  trayer --edge top --align right >/dev/null 2>&1 & tray=$!
  code=0; "$@" || code=$?
  kill "$wm" "$notes" "$tray" 2>/dev/null || true
  exit "$code"
' session "$@"
