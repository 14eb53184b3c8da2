# Runs scenarios of Net::HTTP. It reads one JSON object a line from standard
# input and prints one a line, with the same id, for what happened; many run at
# once. "block" is the client's block of a stack.
require "json"
require "net/http"
require "openssl"
require "uri"

PRINTING = Mutex.new
$stdout.sync = true
Thread.abort_on_exception = true # a mistake of the driver ends it, and every scenario with it

# One scenario: what came of it is told once, the first time.
class Run
  attr_reader :out

  def initialize(input)
    @s = input
    @uri = URI(@s["url"])
    @out = { status: 0, bytes: 0, error: "", code: "" }
  end

  def client
    http = Net::HTTP.new(@uri.host, @uri.port, nil)
    http.use_ssl = @uri.scheme == "https"
    http.cert_store = store unless @s["ca"].to_s.empty?
    @s["block"].each { |name, value| http.public_send("#{name}=", value) unless name == "version" }
    http
  end

  def store
    OpenSSL::X509::Store.new.tap { |s| s.add_cert(OpenSSL::X509::Certificate.new(@s["ca"])) }
  end

  def request(measured)
    method = measured && !@s["method"].to_s.empty? ? @s["method"] : "GET"
    r = Net::HTTP.const_get(method.capitalize).new(@uri)
    r.body = "b" * @s["bodyBytes"] if measured && @s["bodyBytes"].to_i > 0
    r
  end

  def once(http, out, request)
    http.request(request) do |r|
      out[:status] = r.code.to_i
      r.read_body { |piece| out[:bytes] += piece.bytesize }
    end
  end

  def call
    http = client
    before(http)
    measured = request(true) # a long body takes time to make
    sleep 0.02
    @begin = now
    Thread.new { sleep @s["observeMs"] / 1000.0; tell(running: true) }
    begin
      http.start unless http.started?
      once(http, @out, measured)
      tell
    rescue StandardError => e
      failed(e)
    end
    sleep @s["observeMs"] / 1000.0 + 1 # what is idle stays open longer than anybody looks
  end

  def before(http)
    return if @s["before"].to_i == 0
    http.start
    @s["before"].times { once(http, { bytes: 0 }, request(false)) }
    sleep @s["pauseMs"].to_i / 1000.0
  end

  def failed(e)
    elapsed = passed
    sleep 0.1 # the upstream must have seen what was written to it just before
    names, texts = [], []
    while e
      names << e.class.name
      texts << e.message
      e = e.cause
    end
    tell(code: names.join(" "), error: texts.join(" <- "), elapsedMs: elapsed)
  end

  def tell(**more)
    PRINTING.synchronize do
      return if @told
      @told = true
      puts JSON.generate(@out.merge(id: @s["id"], version: Net::HTTP::VERSION, elapsedMs: passed, **more))
    end
  end

  def passed = ((now - @begin) * 1000).round

  def now = Process.clock_gettime(Process::CLOCK_MONOTONIC)
end

# The first secure context takes longer than some timers.
OpenSSL::SSL::SSLContext.new.set_params

$stdin.each_line { |line| Thread.new { Run.new(JSON.parse(line)).call } }
