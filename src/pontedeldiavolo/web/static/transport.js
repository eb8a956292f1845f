// @ts-check
/**
 * The transport of requests to the implementation of the rules: here over HTTP. A page with the
 * rules in a web worker gives the board the same function, implemented with messages.
 *
 * @typedef {{status: number, data: any}} Answer
 *   The status as in HTTP; 0 if there was no response.
 * @typedef {{query?: Record<string, string>, body?: object, token?: string, signal?: AbortSignal}} More
 * @typedef {(method: string, path: string, more?: More) => Promise<Answer>} Transport
 */

/**
 * Return the transport to a server.
 *
 * @param {string} base - the prefix of its paths
 * @returns {Transport}
 */
export function overHttp(base) {
  return async (method, path, { query = {}, body, token = "", signal } = {}) => {
    /** @type {Record<string, string>} */
    const headers = {};
    if (token) headers["Authorization"] = `Bearer ${token}`;
    if (body) headers["Content-Type"] = "application/json";
    try {
      const response = await fetch(`${base}${path}?${new URLSearchParams(query)}`, {
        method,
        headers,
        body: body ? JSON.stringify(body) : null,
        signal: signal ?? null,
        cache: "no-store",
      });
      const text = await response.text();
      const isJson = response.headers.get("Content-Type")?.startsWith("application/json");
      return { status: response.status, data: isJson ? JSON.parse(text) : text };
    } catch {
      // The server is not available, the connection broke, or the request was aborted.
      return { status: 0, data: {} };
    }
  };
}
