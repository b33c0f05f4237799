// Settings of the product’s own server: small, on a socket only, and as safe against a power cut as PostgreSQL can
// be. Passed on the command line, so that no file in the cluster can weaken them.

/** Names the socket file; there is no TCP. */
export const PORT = 5432;

export function productSettings(socketDir: string): Record<string, string | number> {
  return {
    listen_addresses: '',
    port: PORT,
    unix_socket_directories: `"${socketDir}"`,
    unix_socket_permissions: '0700',
    shared_buffers: '64MB',
    max_connections: 40,
    fsync: 'on',
    synchronous_commit: 'on',
    full_page_writes: 'on',
    timezone: 'UTC',
    log_timezone: 'UTC',
    // "log" is above "error" in this scale: what went wrong in a statement is told to us, who asked, and its
    // text and values (people's data) stay out of the file.
    log_min_messages: 'log',
    log_checkpoints: 'off',
  };
}
