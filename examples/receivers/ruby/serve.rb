# Serves the receiver without a gem, to try it: use Puma or another Rack server in production.
require "socket"
require "stringio"
require_relative "receiver"

MAX_LINE = 8_192

def read_headers(socket)
  headers = {}
  until (line = socket.gets("\r\n", MAX_LINE).to_s.chomp("\r\n")).empty?
    name, value = line.split(":", 2)
    key = "HTTP_#{name.upcase.tr("-", "_")}"
    headers[key] = [headers[key], value.to_s.strip].compact.join(", ")
  end
  headers
end

def read_body(socket, headers)
  return socket.read([headers["HTTP_CONTENT_LENGTH"].to_i, Receiver::MAX_BODY + 1].min) unless headers["HTTP_TRANSFER_ENCODING"]
  body = "".b
  while body.bytesize <= Receiver::MAX_BODY && (size = socket.gets("\r\n", MAX_LINE).to_s.hex).positive?
    body << socket.read([size, Receiver::MAX_BODY + 1].min)
    socket.gets("\r\n", MAX_LINE)
  end
  body
end

receiver = Receiver.new
folder = ENV.fetch("INBOX", "inbox")
server = TCPServer.new("127.0.0.1", ENV.fetch("PORT", "4000").to_i)
puts "listening on http://127.0.0.1:#{server.addr[1]}/webhooks"
$stdout.flush
loop do
  Thread.new(server.accept) do |socket|
    method, path = socket.gets("\r\n", MAX_LINE).to_s.split
    headers = read_headers(socket)
    input = StringIO.new(read_body(socket, headers).to_s)
    status, fields, body =
      case path
      when "/webhooks" then receiver.call(headers.merge("REQUEST_METHOD" => method, "rack.input" => input))
      when "/handled" then [200, {}, [Dir.glob(File.join(folder, "*.json")).size.to_s]]
      else [404, {}, []]
      end
    lines = fields.merge("content-length" => body.sum(&:bytesize), "connection" => "close").map { |name, value| "#{name}: #{value}\r\n" }
    socket.write("HTTP/1.1 #{status} #{status}\r\n#{lines.join}\r\n#{body.join}")
  ensure
    socket.close
  end
end
