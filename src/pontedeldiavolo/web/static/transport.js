// @ts-check
/**
 * The transport of requests to the implementation of the rules: here over HTTP. A page with the
 * rules in a web worker gives the board the same function, implemented with messages.
 *
 * @typedef {{status: number, data: any}} ServerResponse
 *   The status as in HTTP; 0 if there was no response.
 * @typedef {{query?: Record<string, string>, body?: object, token?: string, signal?: AbortSignal, patience?: number}} RequestOptions
 *   *patience* is the time in milliseconds after which nobody waits for the response any more.
 * @typedef {(method: string, path: string, options?: RequestOptions) => Promise<ServerResponse>} Transport
 */

/** The usual patience: the server holds a request for news for 20 seconds. */
const PATIENCE = 30_000;

/**
 * Return the transport to a server.
 *
 * @param {string} base - the prefix of its paths
 * @returns {Transport}
 */
export function overHttp(base) {
  return async (method, path, { query = {}, body, token = "", signal, patience = PATIENCE } = {}) => {
    /** @type {Record<string, string>} */
    const headers = {};
    if (token) headers["Authorization"] = `Bearer ${token}`;
    if (body) headers["Content-Type"] = "application/json";
    const ending = new AbortController();
    const end = () => ending.abort();
    const timer = window.setTimeout(end, patience);
    signal?.addEventListener("abort", end);
    if (signal?.aborted) end();
    try {
      const response = await fetch(`${base}${path}?${new URLSearchParams(query)}`, {
        method,
        headers,
        body: body ? JSON.stringify(body) : null,
        signal: ending.signal,
        cache: "no-store",
      });
      const type = response.headers.get("Content-Type") ?? "";
      if (type === "image/gif") return { status: response.status, data: await response.blob() };
      const text = await response.text();
      const isJson = type.startsWith("application/json");
      return { status: response.status, data: isJson ? JSON.parse(text) : text };
    } catch {
      // The server is not available, the connection broke, or the request was aborted.
      return { status: 0, data: {} };
    } finally {
      window.clearTimeout(timer);
      signal?.removeEventListener("abort", end);
    }
  };
}
